import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';

const browser = useBrowser();
const EMAIL = { from: 'us@from.test', to: 'jane@to.test', subject: 'Later', text: 'x', scheduled_at: 'in 1 hour' };

let host: RunningHost;

beforeAll(async () => {
  ({ host } = await shareHost());
});

const made = async (path: string, body: object) => (await host.request<{ id: string }>('POST', path, { body })).body.id;
const rows = ({ page }: PageTester) => page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
const filter = ({ page }: PageTester) => page.getByLabel('Show');

describe('the activity log', () => {
  it('explains that nothing was changed yet', async () => {
    const tester = await browser.signedIn(host, '/activity');
    await tester.page.getByRole('heading', { name: 'No changes yet' }).waitFor();
    await tester.audit('activity-empty');
  });

  it('answers who canceled an email: by a sentence, the key, and a link to the email', async () => {
    const key = (
      await host.request<{ id: string; token: string }>('POST', '/api-keys', {
        body: { name: 'Backend \u{1f4e8}', permission: 'full_access' },
      })
    ).body;
    const id = await made('/emails', EMAIL);
    await host.request('POST', `/emails/${id}/cancel`, { token: key.token });
    const tester = await browser.signedIn(host, '/activity');
    const canceled = rows(tester).filter({ hasText: 'Canceled an email' });
    await canceled.getByText('API key Backend \u{1f4e8}').waitFor();
    expect(await canceled.getByText('API', { exact: true }).count()).toBe(1);
    await canceled.getByRole('link', { name: /^Email / }).click();
    await until(() => tester.path === `/emails/${id}`);
  });

  it('names changes of this page, with their session', async () => {
    const tester = await browser.signedIn(host, '/topics/new');
    const { page } = tester;
    await page.getByLabel('Name').fill('Product news');
    await page.getByRole('button', { name: 'Create topic' }).click();
    await page.getByText('Topic Product news was created.').waitFor();
    await tester.goTo('Activity log');
    const created = rows(tester).filter({ hasText: 'Created a topic' });
    await created.getByText(/session [0-9a-zA-Z_-]{8}/).waitFor();
    await created.getByText('Page', { exact: true }).waitFor();
    await created.getByRole('link', { name: /^Topic / }).click();
    await page.getByRole('heading', { name: 'Product news' }).waitFor();
  });

  it('shows one kind of changes, which the address keeps, and says when there are none', async () => {
    await made('/contacts', { email: 'kim@to.test' });
    await made('/templates', { name: 'Welcome' });
    const tester = await browser.signedIn(host, '/activity');
    await filter(tester).selectOption({ label: 'Created a template' });
    await until(async () => (await rows(tester).count()) === 1);
    expect(tester.path).toBe('/activity?action=template.create');
    await tester.page.reload();
    await rows(tester).getByText('Created a template').waitFor();
    expect(await rows(tester).count()).toBe(1);
    await filter(tester).selectOption({ label: 'Deleted a webhook' });
    await tester.page.getByRole('heading', { name: 'No such change in the last 90 days' }).waitFor();
    await tester.audit('activity-none');
    await tester.page.getByRole('link', { name: 'Show all changes' }).click();
    await rows(tester).getByText('Created a template').waitFor();
  });

  it('lists many emails of one change, and older changes page by page', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => made('/emails', EMAIL)));
    await host.request('POST', '/emails/actions', { body: { action: 'cancel', ids } });
    const tester = await browser.signedIn(host, '/activity');
    const canceled = rows(tester).filter({ hasText: 'Canceled 5 emails' });
    await canceled.getByText('and 2 others').click();
    expect(await canceled.getByRole('link').count()).toBe(5);
    await tester.audit('activity');
    for (let count = 0; count < 60; count++)
      await host.request('PATCH', `/emails/${await made('/emails', EMAIL)}`, {
        body: { scheduled_at: 'in 2 hours' },
      });
    await tester.page.reload();
    await until(async () => (await rows(tester).count()) === 50);
    await tester.page.getByRole('button', { name: 'Show older changes' }).click();
    await until(async () => (await rows(tester).count()) > 60);
  });

  it('takes an address of another kind for a name, and shows a refusal with Retry', async () => {
    const tester = await browser.signedIn(host, '/activity?action=not%20a%20name', { expected: [/422/] });
    await tester.page.getByText('The activity log could not be read').waitFor();
    await tester.page.getByRole('button', { name: 'Try again' }).waitFor();
    await tester.audit('activity-refused');
  });
});
