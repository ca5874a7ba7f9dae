import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';

describe('topics', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    ({ host } = await shareHost());
  });

  async function make(name: string): Promise<string> {
    const body = { name, default_subscription: 'opt_in' };
    return (await host.request<{ id: string }>('POST', '/topics', { body })).body.id;
  }

  it('explains an empty list', async () => {
    const tester = await browser.signedIn(host, '/topics');
    await tester.page.getByRole('heading', { name: 'No topics yet' }).waitFor();
    await tester.page.getByText(`curl '${host.url}/topics'`).waitFor();
    await tester.audit('topics-empty');
  });

  it('creates one, which has a link', async () => {
    const tester = await browser.signedIn(host, '/topics');
    const { page } = tester;
    await page.getByRole('link', { name: 'New topic' }).click();
    await page.getByLabel('Name').fill('Product news');
    await page.getByLabel('Description').fill('Once a month');
    await page.getByLabel('Who gets its emails').selectOption('opt_out');
    await tester.audit('topic-new');
    await page.getByRole('button', { name: 'Create topic' }).click();
    await page.getByRole('heading', { name: 'Product news' }).waitFor();
    await page
      .getByRole('region', { name: 'All topics' })
      .getByRole('link', { name: /Product news/ })
      .waitFor();
    const id = tester.path.replace('/topics/', '');
    const { body } = await host.request('GET', `/topics/${id}`);
    expect(body).toMatchObject({ name: 'Product news', description: 'Once a month', default_subscription: 'opt_out' });
    expect(await page.getByLabel('Who gets its emails').isDisabled()).toBe(true);
    const choices = page.frameLocator('iframe[title="Preference page"]');
    await choices.getByRole('heading', { name: 'Product news' }).waitFor();
    await choices.getByText('Once a month').waitFor();
    await tester.audit('topic');
    await page.getByLabel('Description').fill('Twice a month');
    await page.getByRole('button', { name: 'Save' }).click();
    await choices.getByText('Twice a month').waitFor();
  });

  it('shows problems at the field, and keeps the input', async () => {
    const id = await make('Offers');
    const tester = await browser.signedIn(host, `/topics/${id}`, { expected: [/422/] });
    const { page } = tester;
    await page.getByLabel('Name').fill('x'.repeat(51));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('`name` must be one line of 1 to 50 characters').waitFor();
    expect(await page.getByLabel('Name').evaluate((input) => input === document.activeElement)).toBe(true);

    await tester.goTo('Contacts');
    await tester.goTo('Topics');
    await page.getByRole('link', { name: /Offers/ }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('x'.repeat(51));
    await page.reload();
    expect(await page.getByLabel('Name').inputValue()).toBe('x'.repeat(51));

    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Offers');
    await page.getByLabel('Description').fill('Of partners');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await host.request('GET', `/topics/${id}`)).body).toMatchObject({
      name: 'Offers',
      description: 'Of partners',
    });
  });

  it('asks once before a deletion, with the number of pending emails', async () => {
    const id = await make('Invoices');
    const waiting = {
      ...{ from: 'us@example.com', to: 'you@example.com', subject: 'Later', text: 'x' },
      ...{ topic_id: id, scheduled_at: 'in 1 hour' },
    };
    expect((await host.request('POST', '/emails', { body: waiting })).status).toBe(200);
    const tester = await browser.signedIn(host, `/topics/${id}`);
    const { page } = tester;
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('1 email of this topic is pending.').waitFor();
    await tester.audit('topic-delete');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await host.request('GET', `/topics/${id}`)).status).toBe(200);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete topic' }).click();
    await until(() => tester.path === '/topics');
    await page.getByRole('link', { name: /Offers/ }).waitFor();
    expect(await page.getByRole('link', { name: /Invoices/ }).count()).toBe(0);
    expect((await host.request('GET', `/topics/${id}`)).status).toBe(404);
  });
});
