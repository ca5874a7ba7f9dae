import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const ADDRESS = 'bounced+jane@example.com';

describe('a person', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost();
    const email = { from: 'us@example.com', to: ADDRESS, text: 'x' };
    await host.request('POST', '/emails', { body: { ...email, subject: 'Order 1182' } });
    await host.request('POST', '/emails', { body: { ...email, to: 'other@example.com', subject: 'Not hers' } });
    const topic = { name: 'Product news', default_subscription: 'opt_in' };
    await host.request('POST', '/topics', { body: topic });
    await host.request('POST', '/contacts', { body: { email: ADDRESS, first_name: 'Jane' } });
    await until(async () => {
      const { body } = await host.request<{ data: unknown[] }>('GET', '/emails?last_event=bounced');
      return body.data.length === 1;
    });
    await until(async () => (await host.request('GET', `/suppressions/${ADDRESS}`)).status === 200);
  });

  it('is found by the address: all emails to it, the last bounce with the server’s words, contact and topics', async () => {
    const tester = await browser.signedIn(host, '/emails');
    const { page } = tester;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Screen, address or id' }).fill(ADDRESS);
    await page.getByRole('option', { name: `Person ${ADDRESS}` }).waitFor();
    await tester.audit('go-to');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: ADDRESS, level: 1 }).waitFor();
    await page.getByRole('link', { name: /Order 1182/ }).waitFor();
    expect(await page.getByText('Not hers').count()).toBe(0);
    await page.getByText(/^5\d\d /).waitFor();
    await page.getByRole('link', { name: 'Yes: an email bounced' }).waitFor();
    await page.getByText('Jane', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Product news' }).waitFor();
    expect(await page.title()).toContain(ADDRESS);
    await tester.audit('person');
    await page.reload();
    await page.getByRole('link', { name: 'Open contact' }).click();
    await page.getByRole('heading', { name: ADDRESS }).first().waitFor();
  });

  it('without emails and without a contact says so', async () => {
    const tester = await browser.signedIn(host, '/people/nobody%2F%3F%40example.com', { expected: [/404 \(/] });
    const { page } = tester;
    await page.getByRole('heading', { name: 'nobody/?@example.com', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'No emails to this address' }).waitFor();
    await page.getByText('This address is no contact.').waitFor();
    await page.getByText('No: emails are sent to it').waitFor();
    await tester.audit('person-unknown');
  });
});
