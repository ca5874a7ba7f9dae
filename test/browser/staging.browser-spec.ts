import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const browser = useBrowser();
const ADMIN_TOKEN = 'operators-only-0123456789';
/** As long as an address may be, without a place to break it at. */
const LONG = `${'quality-assurance'.repeat(3)}@${'staging'.repeat(8)}.${'example'.repeat(8)}.test`;

describe('while the staging switch is on', () => {
  let host: RunningHost;

  beforeAll(async () => {
    const env = { ONLY_TO: 'to.test,me@example.net', REDIRECT_ALL_TO: LONG, ADMIN_TOKEN };
    host = await startHost({ smtp: await SmtpSink.start(), env });
  });

  it.each([
    '/emails',
    '/metrics',
    '/templates',
    '/topics',
    '/contacts',
    '/suppressions',
    '/domains',
    '/webhooks',
    '/keys',
    '/activity',
    '/health',
  ])('a banner says who gets mail: %s', async (path) => {
    // Health asks for the operators' token.
    const tester = await browser.signedIn(host, path, { expected: [/403 \(/] });
    const banner = tester.page.getByRole('note').filter({ hasText: 'Staging:' });
    await banner.waitFor();
    expect(await banner.innerText()).toBe(
      `Staging: only to.test and me@example.net get mail here; emails to others fail. All mail goes to ${LONG}, not to its recipients.`,
    );
    await tester.page.waitForLoadState('networkidle');
    await tester.audit(`staging-${path.slice(1)}`);
  });

  it('an email to another recipient says why it failed', async () => {
    const id = await post(host, 'a@real.test');
    await untilShown(host, id, 'failed');
    const { page } = await browser.signedIn(host, `/emails/${id}`);
    await page.getByText('This is a staging system, which sends no mail to this address.').first().waitFor();
  });
});

it('there is no banner while the switch is off', async () => {
  const host = await startHost({ smtp: await SmtpSink.start() });
  const { page } = await browser.signedIn(host, '/emails');
  await page.getByRole('heading', { name: 'Emails' }).first().waitFor();
  expect(await page.getByText('Staging:').count()).toBe(0);
});
