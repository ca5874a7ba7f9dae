import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';

const MANY = 230;

describe('contacts', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    ({ host } = await shareHost());
  });

  async function make(email: string, more: object = {}): Promise<string> {
    return (await host.request<{ id: string }>('POST', '/contacts', { body: { email, ...more } })).body.id;
  }

  it('explains an empty list', async () => {
    const tester = await browser.signedIn(host, '/contacts');
    await tester.page.getByRole('heading', { name: 'No contacts yet' }).waitFor();
    await tester.page.getByText(`curl '${host.url}/contacts'`).waitFor();
    await tester.audit('contacts-empty');
  });

  it('scrolls through pages, and renders only visible rows', async () => {
    for (let n = 1; n <= MANY; n++) await make(`person${n}@example.com`, { first_name: 'Jane', last_name: `Doe ${n}` });
    const tester = await browser.signedIn(host, '/contacts');
    const list = tester.page.getByRole('region', { name: 'All contacts' });
    await list.getByRole('link', { name: new RegExp(`person${MANY}@`) }).waitFor();
    await tester.audit('contacts');
    await until(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return list.getByRole('link', { name: /^person1@/ }).isVisible();
    });
    expect(await list.getByRole('link').count()).toBeLessThan(60);
  });

  it('finds one by address in any letter case, and reports when there is none', async () => {
    await make('jane@example.com');
    const tester = await browser.signedIn(host, '/contacts', { expected: [/404/] });
    const { page } = tester;
    await page.getByRole('link', { name: /^jane@example/ }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Jane@Example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'jane@example.com' }).waitFor();
    expect(tester.path).toMatch(/^\/contacts\/[0-9a-f-]{36}\?find=Jane%40Example\.com$/);

    await page.keyboard.press('/');
    await page.keyboard.type('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No contact has the address nobody@example.com' }).waitFor();
    await tester.audit('contacts-not-found');
    await page.getByRole('link', { name: 'Create this contact' }).click();
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('nobody@example.com');
  });

  it('creates one with properties, and shows problems at the field', async () => {
    const tester = await browser.signedIn(host, '/contacts/new', { expected: [/422/] });
    const { page } = tester;
    await page.getByLabel('Email', { exact: true }).fill('jim');
    await page.getByRole('button', { name: 'Create contact' }).click();
    await page.getByText('`email` must be one address such as').waitFor();
    await page.getByLabel('Email', { exact: true }).fill('jim@example.com');

    await page.getByRole('button', { name: 'Add property' }).click();
    await page.getByLabel('Name of property 1').fill('the plan');
    await page.getByLabel('Value of the plan').fill('pro');
    await page.getByRole('button', { name: 'Create contact' }).click();
    await page.getByText('`properties` takes keys of 1 to 50 letters, digits and underscores.').waitFor();
    await tester.audit('contact-new');
    await page.getByLabel('Name of property 1').fill('plan');
    await page.getByRole('button', { name: 'Create contact' }).click();
    await page.getByRole('heading', { name: 'jim@example.com' }).waitFor();
    expect((await host.request('GET', '/contacts/jim@example.com')).body).toMatchObject({
      properties: { plan: { type: 'string', value: 'pro' } },
    });
  });

  it('saves only changed fields', async () => {
    const id = await make('kim@example.com', { first_name: 'Kim', properties: { plan: 'pro', seats: 3 } });
    const tester = await browser.signedIn(host, `/contacts/${id}`);
    const { page } = tester;
    await page.getByLabel('First name').fill('');
    await page.getByLabel('Last name').fill('Lee');
    await page.getByRole('checkbox', { name: 'Unsubscribed' }).check();
    await page.getByRole('button', { name: 'Remove plan' }).click();
    await page.getByLabel('Value of seats').fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('seats must be a number such as 12 or 0.5.').waitFor();
    await page.getByLabel('Value of seats').fill('4');
    await host.request('PATCH', `/contacts/${id}`, { body: { properties: { since: 2020 } } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await host.request('GET', `/contacts/${id}`)).body).toMatchObject({
      first_name: null,
      last_name: 'Lee',
      unsubscribed: true,
      properties: { seats: { type: 'number', value: 4 }, since: { type: 'number', value: 2020 } },
    });
    await tester.audit('contact');
  });

  it('saves a choice at once', async () => {
    const id = await make('lee@example.com');
    const topic = { name: 'News', description: 'Weekly', default_subscription: 'opt_in' };
    await host.request('POST', '/topics', { body: topic });
    const tester = await browser.signedIn(host, `/contacts/${id}`);
    const box = tester.page.getByRole('checkbox', { name: /News/ });
    // Checked right after the click: the box must not jump back before the save.
    const isTickedByClick = box.evaluate((element) => {
      const input = element as HTMLInputElement;
      input.click();
      return input.checked;
    });
    expect(await isTickedByClick).toBe(false);
    await tester.page.getByText('Saved', { exact: true }).waitFor();
    expect(await box.isChecked()).toBe(false);
    expect((await host.request('GET', `/contacts/${id}/topics`)).body).toMatchObject({
      data: [{ name: 'News', subscription: 'opt_out' }],
    });
  });

  it('reverts a choice that was not saved', async () => {
    const id = await make('noa@example.com');
    const body = { name: 'Offers', default_subscription: 'opt_in' };
    const topic = await host.request<{ id: string }>('POST', '/topics', { body });
    const tester = await browser.signedIn(host, `/contacts/${id}`, { expected: [/status of 4/] });
    const box = tester.page.getByRole('checkbox', { name: 'Offers' });
    await box.waitFor();
    await host.request('DELETE', `/topics/${topic.body.id}`);
    await box.click();
    await tester.page.getByText('The choice was not saved').waitFor();
    expect(await box.isChecked()).toBe(true);
  });

  it('asks once before a deletion', async () => {
    const id = await make('max@example.com');
    const tester = await browser.signedIn(host, `/contacts/${id}`);
    const { page } = tester;
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('including that they unsubscribed').waitFor();
    await tester.audit('contact-delete');
    await page.getByRole('button', { name: 'Delete contact' }).click();
    await until(() => tester.path === '/contacts');
    expect((await host.request('GET', `/contacts/${id}`)).status).toBe(404);
    expect(await page.getByRole('link', { name: /max@example/ }).count()).toBe(0);
  });
});
