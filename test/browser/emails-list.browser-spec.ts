import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const MANY = 312;

describe('the list of emails', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost();
  });

  const send = async (email: object, token = host.token): Promise<string> => {
    const body = { from: 'Shop <shop@example.com>', subject: 'Hello', text: 'hello', ...email };
    const answer = await host.request<{ id: string }>('POST', '/emails', { body, token });
    expect(answer.status).toBe(200);
    return answer.body.id;
  };
  /** Pages of their own account. */
  const signedIn = async (name: string, path = '/emails', options: object = {}) => {
    const { token } = await host.account(name);
    const tester = await browser.signedIn({ url: host.url, token }, path, options);
    return { tester, page: tester.page, token, search: tester.page.getByRole('textbox', { name: 'Search emails' }) };
  };
  const rowsOf = (page: Page) => page.getByRole('region', { name: 'Emails' }).getByRole('listitem');
  const row = (page: Page, name: RegExp) =>
    page.getByRole('region', { name: 'Emails' }).locator('a.row').and(page.getByRole('link', { name }));
  const queryIn = (tester: PageTester) => new URLSearchParams(tester.path.split('?')[1]).get('q');

  it('finds the email that jane got about order 1182, and what the server answered, in two actions', async () => {
    const { tester, page, token, search } = await signedIn('support');
    const to = 'Jane Doe <bounced-jane.doe@example.com>';
    const bounced = await send({ to, subject: 'Order 1182 is on its way' }, token);
    // The address is suppressed from then on.
    await until(async () => {
      const { body } = await host.request<{ last_event: string }>('GET', `/emails/${bounced}`, { token });
      return body.last_event === 'bounced';
    });
    for (const subject of ['Order 1181', 'Invoice 1182']) await send({ to, subject }, token);
    for (let n = 0; n < 30; n += 1) await send({ to: `other-${n}@example.com`, subject: `Order ${1100 + n}` }, token);
    await row(page, /Order 1129/).waitFor();

    await search.fill('jane order 1182');
    await row(page, /Order 1182 .*Jane Doe.*bounced$/).click();
    await page
      .getByText(/There is no such mailbox/)
      .first()
      .waitFor();
    expect(queryIn(tester)).toBe('jane order 1182');
    expect(await rowsOf(page).count()).toBe(1);
    await tester.audit('emails-found');
  });

  it('opens a pasted id, and finds a pasted message id', async () => {
    const { tester, page, token, search } = await signedIn('ids');
    const id = await send({ to: 'ann@example.com', subject: 'By its id' }, token);
    await send({ to: 'ann@example.com', subject: 'Another' }, token);
    await row(page, /Another/).waitFor();
    await search.fill(id.toUpperCase());
    await page.getByRole('heading', { name: 'By its id' }).waitFor();
    expect(tester.path).toBe(`/emails/${id}`);
    await page.keyboard.press('Escape');
    const { body } = await host.request<{ message_id: string }>('GET', `/emails/${id}`, { token });
    await search.fill(body.message_id);
    await until(async () => (await rowsOf(page).count()) === 1);
    await row(page, /By its id/).waitFor();
  });

  it('keeps search, selects and address the same, and shows no rows for what is not understood', async () => {
    const { tester, page, token, search } = await signedIn('filters', '/emails', { expected: [/422 \(/] });
    await send({ to: 'ann@example.com', subject: 'Ours', tags: [{ name: 'order', value: '12' }] }, token);
    await send({ to: 'bounced-bob@example.com', subject: 'Theirs', from: 'Others <others@example.com>' }, token);
    await row(page, /Theirs.*bounced$/).waitFor();
    const select = (name: string) => page.getByRole('combobox', { name, exact: true });

    await select('State').selectOption('Bounced');
    await until(() => queryIn(tester) === 'state:bounced');
    expect(await search.inputValue()).toBe('state:bounced');
    await until(async () => (await rowsOf(page).count()) === 1);
    await search.fill('status:delivered from:shop@example.com after:7d');
    await row(page, /Ours/).waitFor();
    expect(await select('State').inputValue()).toBe('delivered');
    expect(await select('Sender').inputValue()).toBe('shop@example.com');
    expect(await select('Date').inputValue()).toBe('7d');
    await select('Date').selectOption('Custom range…');
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await page.getByText('The last day is before the first.').waitFor();
    await page.getByLabel('From', { exact: true }).fill('2025-12-01');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'No matching emails' }).waitFor();
    expect(queryIn(tester)).toBe('status:delivered from:shop@example.com after:2025-12-01 before:2026-01-02');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await row(page, /Ours/).waitFor();

    await page.getByRole('link', { name: 'order:12', exact: true }).click();
    await until(async () => (await rowsOf(page).count()) === 1);
    expect(queryIn(tester)).toBe('tag:order:12');
    await search.fill('colour:red');
    await page.getByRole('status').getByText('There is no filter “colour:”').waitFor();
    expect(await rowsOf(page).count()).toBe(0);
    await page.getByText('to:jane@example.com').waitFor();
    await tester.audit('emails-not-understood');
    await search.fill('from:"no address at all"');
    await page.getByRole('status').getByText('`from` must be an address').waitFor();
    expect(await rowsOf(page).count()).toBe(0);
    await page.goBack();
    await page.goForward();
    await page.getByRole('status').getByText('`from` must be an address').waitFor();
  });

  it(`sends the failed ones again, ${MANY} emails, in three actions`, async () => {
    const { token } = await host.account('failed');
    await send({ to: 'delivered@example.com' }, token);
    for (let sent = 0; sent < MANY; sent += 100) {
      const batch = Array.from({ length: Math.min(100, MANY - sent) }, (_, n) => ({
        from: 'shop@example.com',
        to: `bounced-${sent + n}@example.com`,
        subject: `Email ${sent + n}`,
        text: 'x',
      }));
      expect((await host.request('POST', '/emails/batch', { body: batch, token })).status).toBe(200);
    }
    const count = async (query: string) =>
      (await host.request<{ count: number }>('GET', `/emails/count${query}`, { token })).body.count;
    await until(async () => (await count('?last_event=bounced')) === MANY);
    const tester = await browser.signedIn({ url: host.url, token }, '/emails');
    const { page } = tester;

    await page.getByRole('combobox', { name: 'State' }).selectOption('Bounced');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByText(`All ${MANY} that match`).waitFor();
    await tester.audit('emails-selected');
    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await page.getByRole('heading', { name: `Resend ${MANY} emails?` }).waitFor();
    await page.keyboard.press('Enter');

    const progress = page.getByRole('region', { name: 'Progress of the action' });
    await progress.waitFor();
    expect(tester.path).toContain('action=');
    await page.reload();
    await progress.getByText(`Resent ${MANY} emails.`).waitFor();
    expect(await count('')).toBe(2 * MANY + 1);
    await tester.audit('emails-resent');
    await progress.getByRole('button', { name: 'Dismiss' }).click();
    await until(() => !tester.path.includes('action='));
  });

  it('selects by keyboard and by range, confirms what happens, and reports refusals with their reasons', async () => {
    const { tester, page, token } = await signedIn('keys');
    for (let n = 1; n <= 5; n += 1) {
      await send({ to: `p${n}@example.com`, subject: `Later ${n}`, scheduled_at: 'in 2 hours' }, token);
    }
    await send({ to: 'p6@example.com', subject: 'Sent 6' }, token);
    await row(page, /Sent 6.*delivered$/).waitFor();
    for (const key of ['j', 'x', 'j', 'j', 'x', 'k', 'k', 'k']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select Sent 6' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Select Later 4' }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sent 6' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Select the email').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search emails');
    await page.keyboard.press('Escape');

    await page.getByRole('checkbox', { name: 'Select Sent 6' }).click();
    await page.getByRole('checkbox', { name: 'Select Later 4' }).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Scheduled and delayed emails will not be sent.', { exact: false }).waitFor();
    await tester.audit('emails-cancel');
    await dialog.getByRole('button', { name: 'Cancel 3 emails' }).click();
    const progress = page.getByRole('region', { name: 'Progress of the action' });
    await progress.getByText('Canceled 2 emails. 1 email stayed as it was.').waitFor();
    await progress.getByText('Reasons').click();
    await progress.getByRole('link').first().waitFor();
    await row(page, /Later 5.*canceled$/).waitFor();
    await row(page, /Later 1.*scheduled$/).waitFor();
  });

  it('saves what matches as a file', async () => {
    const { page, token, search } = await signedIn('csv');
    await send({ to: 'ann@example.com', subject: 'In the file' }, token);
    await send({ to: 'bob@example.com', subject: 'Not in it' }, token);
    await row(page, /Not in it/).waitFor();
    await search.fill('to:ann@example.com');
    await until(async () => (await rowsOf(page).count()) === 1);
    const exported = async () => {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe('emails.csv');
      return text(await download.createReadStream());
    };
    const file = await exported();
    const lines = file.trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('In the file');
    await page.getByRole('checkbox', { name: 'Select In the file' }).check();
    expect(await exported()).toBe(file);
  });

  it('keeps every subject in its row, and fits a phone', async () => {
    const { tester, page, token } = await signedIn('phone', '/emails', { width: 390 });
    await send({ to: 'long@example.com', subject: `${'very long '.repeat(99)}end` }, token);
    await send({ to: 'rtl@example.com', subject: 'Invoice \u202efdp.exe' }, token);
    await send(
      { to: 'script@example.com', subject: '<script>alert(1)</script>', from: '"<b>" <a@example.com>' },
      token,
    );
    await send({ to: 'empty@example.com', subject: ' ' }, token);
    await row(page, /no subject/).waitFor();
    await row(page, /Invoice \ufffdfdp\.exe/).waitFor();
    for (const one of await rowsOf(page).all()) {
      const { height, isInside } = await one.evaluate((element) => {
        const box = element.getBoundingClientRect();
        const parts = [...element.querySelectorAll('.title, .time, .mark, .second')].map((part) =>
          part.getBoundingClientRect(),
        );
        return {
          height: box.height,
          isInside: parts.every(
            ({ left, right, top, bottom }) => left >= 0 && right <= 390 && top >= box.top && bottom <= box.bottom,
          ),
        };
      });
      expect({ height, isInside }).toEqual({ height: 64, isInside: true });
    }
    await tester.audit('emails-phone');
    await row(page, /very long/).click();
    await page.getByRole('heading', { name: /very long/ }).waitFor();
    await page
      .getByRole('link', { name: /Emails/ })
      .last()
      .click();
    await row(page, /no subject/).waitFor();
  });

  it('adds new emails at the top, and holds them back from a reader further down', async () => {
    const { page, token } = await signedIn('live');
    for (let n = 0; n < 60; n += 1) await send({ to: `many-${n}@example.com`, subject: `Many ${n}` }, token);
    await row(page, /Many 59/).waitFor();
    const list = page.getByRole('region', { name: 'Emails' });
    await list.evaluate((element) => element.scrollTo(0, 1_000));
    await row(page, /Many 40/).waitFor();
    const before = await row(page, /Many 40/).boundingBox();
    for (let n = 60; n < 63; n += 1) await send({ to: `many-${n}@example.com`, subject: `Many ${n}` }, token);
    const held = page.getByRole('button', { name: '3 new emails' });
    await held.waitFor();
    expect(await row(page, /Many 40/).boundingBox()).toEqual(before);
    await held.click();
    await row(page, /Many 62/).waitFor();
    await send({ to: 'last@example.com', subject: 'The last one' }, token);
    await row(page, /The last one/).waitFor();
  });

  it('offers a viewer neither selection nor actions', async () => {
    const key = { name: 'viewer', page_role: 'viewer' };
    const { body } = await host.request<{ token: string }>('POST', '/api-keys', { body: key });
    await send({ to: 'ann@example.com', subject: 'To be viewed' });
    const { page } = await browser.signedIn({ url: host.url, token: body.token }, '/emails');
    await row(page, /To be viewed/).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Export CSV' }).count()).toBe(0);
  });
});

describe('the list of emails of a host without search', () => {
  const browser = useBrowser();

  it('says that words cannot be searched', async () => {
    const host = await startHost({ env: { SEARCH: 'false' } });
    const body = { from: 'shop@example.com', to: 'ann@example.com', subject: 'Hello', text: 'x' };
    await host.request('POST', '/emails', { body });
    const { page } = await browser.signedIn(host, '/emails', { expected: [/422 \(/] });
    await page.getByRole('link', { name: /Hello/ }).waitFor();
    const search = page.getByRole('textbox', { name: 'Search emails' });
    await search.fill('ann');
    await page.getByRole('status').getByText('it is switched off on this server').waitFor();
    expect(await page.getByRole('link', { name: /Hello/ }).count()).toBe(0);
    await search.fill('to:ann@example.com');
    await page.getByRole('link', { name: /Hello/ }).waitFor();
  });
});
