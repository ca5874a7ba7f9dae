import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const OPERATORS_TOKEN = 'of-the-operators-of-the-tests';

describe('health', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ env: { ADMIN_TOKEN: OPERATORS_TOKEN } });
  });

  it('is for holders of the token of operators', async () => {
    const tester = await browser.signedIn(host, '/health', { expected: [/40[13] \(/] });
    const { page } = tester;
    const field = page.getByLabel('Operator token');
    await field.fill('another');
    await field.press('Enter');
    await page.getByText('This is not the value of ADMIN_TOKEN.').waitFor();
    await tester.audit('health-closed');
    await field.fill(OPERATORS_TOKEN);
    await field.press('Enter');
    await page.getByText('Emails are accepted and sent.').waitFor();
    const titles = [
      'Waiting emails',
      'Services',
      'Queue',
      'Event subscribers',
      'Webhooks',
      'Paused mail',
      'This process',
    ];
    for (const title of titles) {
      await page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
    }
    const board = page.getByRole('link', { name: 'Queue board' });
    expect(await board.getAttribute('href')).toBe('/admin/queues');
    await tester.audit('health');
    await page.reload();
    await page.getByText('Emails are accepted and sent.').waitFor();
  });

  it('asks again when the token was changed', async () => {
    const tester = await browser.signedIn(host, '/health', { expected: [/40[13] \(/, /ERR_CONNECTION_REFUSED/] });
    const { page } = tester;
    await page.getByLabel('Operator token').fill(OPERATORS_TOKEN);
    await page.getByRole('button', { name: 'Show health' }).click();
    await page.getByText('Emails are accepted and sent.').waitFor();
    host.env.ADMIN_TOKEN = `${OPERATORS_TOKEN}-new`;
    await host.restart();
    await page.getByText(/the token was changed/).waitFor();
  });
});
