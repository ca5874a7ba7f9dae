import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ADMIN_TOKEN = 'operators-only-0123456789';

describe('pausing all mail', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ smtp: await SmtpSink.start(), env: { ADMIN_TOKEN } });
  });

  it('asks for a reason, shows a banner, and shows what would leave before it ends', async () => {
    const tester = await browser.signedIn(host, '/health', { expected: [/403 \(/] });
    const { page } = tester;
    await page.getByLabel('Operator token').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Show health' }).click();
    await page.getByText('No mail is paused.').waitFor();
    await page.getByRole('button', { name: 'Pause all mail' }).click();
    await page.getByLabel('Reason').fill('The backup of Sunday.');
    await tester.audit('pause-asked');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause all mail' }).click();
    const banner = page.getByRole('note').filter({ hasText: 'All mail is paused' });
    await banner.getByText('The backup of Sunday.').waitFor();
    await tester.audit('paused');

    const ids = [await post(host, 'a@to.test'), await post(host, 'b@to.test')];
    await page.reload();
    await page.getByRole('button', { name: 'Resume All mail' }).click();
    await page.getByText('2 emails would leave now:').waitFor();
    await tester.audit('resume-asked');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByText('No mail is paused.').waitFor();
    await banner.waitFor({ state: 'detached' });
    for (const id of ids) await untilShown(host, id, 'sent');
  });
});
