import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const browser = useBrowser();
const WAITING = 3;

describe('while the relay is down', () => {
  let host: RunningHost;
  let relay: string;
  let port: number;

  beforeAll(async () => {
    const sink = await SmtpSink.start();
    ({ port } = sink);
    relay = new URL(sink.url).host;
    host = await startHost({ smtp: sink, env: { RETRY_SCHEDULE: '10m,10m' } });
    await sink.close();
    for (let count = 0; count < WAITING; count++) await post(host, `jane${count}@to.test`, { subject: 'Kept' });
    const client = await DashboardClient.signedIn(host);
    await until(async () => {
      const { degraded } = (await client.ask<{ degraded: { waiting: number } | null }>('GET', '/status')).body;
      return degraded?.waiting === WAITING;
    });
  });

  it.each(['/emails', '/templates', '/topics', '/contacts', '/webhooks', '/keys', '/activity', '/metrics'])(
    'a banner says which server, since when, and how many emails wait: %s',
    async (path) => {
      const tester = await browser.signedIn(host, path);
      const banner = tester.page.getByRole('status').filter({ hasText: 'We couldn’t reach' });
      await banner.getByText(`${WAITING} emails are waiting; they’ll be sent when it answers.`).waitFor();
      expect(await banner.innerText()).toMatch(new RegExp(`We couldn’t reach ${relay}.* since \\d\\d:\\d\\d\\.`));
      await tester.page.waitForLoadState('networkidle');
      await tester.audit(`outage-${path.slice(1)}`);
    },
  );

  it('the banner goes once the relay is back and takes mail', async () => {
    const tester = await browser.visit(host);
    const { page } = tester;
    await page.clock.install();
    await tester.open('/topics');
    await tester.signIn();
    const banner = page.getByText('We couldn’t reach');
    await banner.waitFor();
    const sink = await SmtpSink.start({ port });
    await post(host, 'after-all@to.test', { subject: 'After all' });
    await sink.waitFor(1);
    await until(async () => {
      await page.clock.runFor(30_000);
      return (await banner.count()) === 0;
    });
  });
});
