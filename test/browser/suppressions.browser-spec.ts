import { readFile } from 'node:fs/promises';
import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { recordsOf } from '../support/reading/csv.js';

const BOUNCED = 'bounced+jane@example.com';

describe('suppressions', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost();
    const email = { from: 'us@example.com', to: BOUNCED, subject: 'Order 1182', text: 'x' };
    await host.request('POST', '/emails', { body: email });
    await until(async () => (await host.request('GET', `/suppressions/${BOUNCED}`)).status === 200);
  });

  it('tell why an address gets no mail, since when and by which email, and let it get mail again', async () => {
    const { body: next } = await host.request<{ id: string }>('POST', '/emails', {
      body: { from: 'us@example.com', to: BOUNCED, subject: 'Order 1183', text: 'x' },
    });
    await until(async () => {
      const { body } = await host.request<{ last_event: string }>('GET', `/emails/${next.id}`);
      return body.last_event === 'suppressed';
    });
    const tester = await browser.signedIn(host, '/suppressions', { expected: [/404 \(/] });
    const { page } = tester;
    const main = page.getByRole('main');
    await page.getByLabel('Find by the whole address').fill(BOUNCED.toUpperCase());
    await page.keyboard.press('Enter');
    await main.getByRole('heading', { name: BOUNCED }).waitFor();
    await main.getByText('An email to it bounced: the address does not work.').waitFor();
    await main
      .getByText(/^5\d\d /)
      .last()
      .waitFor();
    await main.getByText('It is removed', { exact: true }).waitFor();
    await tester.audit('suppression');
    await main.getByRole('link', { name: 'View email', exact: true }).click();
    await main.getByText('Order 1182').first().waitFor();
    await page.goBack();
    await main.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('If it still does not work, the next one bounces').waitFor();
    await tester.audit('suppression-remove');
    await page.getByRole('button', { name: 'Remove address' }).click();
    await page.getByText(`${BOUNCED} gets mail again.`).waitFor();
    expect((await host.request('GET', `/suppressions/${BOUNCED}`)).status).toBe(404);
    await page.getByLabel('Find by the whole address').fill(BOUNCED);
    await page.getByRole('button', { name: 'Find' }).click();
    await main.getByRole('heading', { name: `${BOUNCED} is not suppressed` }).waitFor();
    await tester.audit('suppression-none');
  });

  it('are added by hand, and listed by their reason', async () => {
    const tester = await browser.signedIn(host, '/suppressions');
    const { page } = tester;
    await page.getByRole('button', { name: 'Add address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('Hand@Example.com');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await page.getByRole('heading', { name: 'hand@example.com' }).waitFor();
    await page.getByText('It was added by hand.').first().waitFor();
    await tester.open('/suppressions?origin=complaint');
    await page.getByRole('heading', { name: 'No address is suppressed for this reason' }).waitFor();
    await page.getByLabel('Why').selectOption('manual');
    await page.getByRole('link', { name: /hand@example\.com/ }).waitFor();
    await host.request('DELETE', '/suppressions/hand@example.com');
  });

  it('are imported from a file of 250 lines, of which two are bad, as often as one likes', async () => {
    const lines = Array.from({ length: 250 }, (_, at) => `"Person; ${at + 2}";person${at + 2}@import.test`);
    lines[10] = 'No address;';
    lines[170] = 'Two addresses;a@import.test, b@import.test';
    const file = {
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`\ufeffName;E-Mail\r\n${lines.join('\r\n')}\r\n`),
    };
    const tester = await browser.signedIn(host, '/suppressions', { expected: [/422 \(/] });
    const { page } = tester;
    for (let times = 0; times < 2; times++) {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Import CSV' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('CSV file', { exact: true }).setInputFiles(file);
      await dialog.getByText('249 addresses found.').waitFor();
      await dialog.getByText('Line 12:').waitFor();
      await dialog.getByLabel('Why').selectOption('bounce');
      await tester.audit('suppressions-import');
      await dialog.getByRole('button', { name: 'Add 249 addresses' }).click();
      await dialog.getByText('248 addresses of it get no mail.').waitFor();
      await dialog.getByText('2 lines left out').waitFor();
      await dialog.getByText('Line 172:').waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page
        .getByRole('link', { name: /@import\.test/ })
        .first()
        .waitFor();
    }
    expect(await emailsOf('bounce', '@import.test')).toHaveLength(248);
  });

  it('are exported as the list has them', async () => {
    const tester = await browser.signedIn(host, '/suppressions');
    const { page } = tester;
    await page.getByRole('button', { name: 'More' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('suppressions.csv');
    const [head, ...records] = recordsOf(await readFile(await download.path(), 'utf8'));
    expect(head?.slice(0, 2)).toEqual(['email', 'origin']);
    expect(records.map(([email]) => email)).toEqual(await emailsOf('', ''));
  });

  it('that bounces at one operator added are shown, then removed', async () => {
    const emails = ['one@undo.test', 'two@undo.test'];
    await host.request('POST', '/suppressions/batch/add', { body: { emails, origin: 'bounce' } });
    await host.query(`UPDATE nestjs_emails.suppressions SET operator = 'gmail' WHERE email LIKE '%@undo.test'`);
    const tester = await browser.signedIn(host, '/suppressions');
    const { page } = tester;
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Undo bounces' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Operator').fill('yahoo');
    await dialog.getByRole('button', { name: 'Show what it removes' }).click();
    await dialog.getByText('No address was added by bounces').waitFor();
    await dialog.getByLabel('Operator').fill('Gmail');
    await dialog.getByRole('button', { name: 'Show what it removes' }).click();
    await dialog.getByText('2 addresses will get mail again:').waitFor();
    expect(await emailsOf('bounce', '@undo.test')).toHaveLength(2);
    await tester.audit('suppressions-undo');
    await dialog.getByRole('button', { name: 'Remove 2 addresses' }).click();
    await page.getByText('2 addresses get mail again.').waitFor();
    expect(await emailsOf('bounce', '@undo.test')).toEqual([]);
  });

  it('are only shown to a viewer, and exported by support', async () => {
    for (const role of ['viewer', 'support']) {
      const { body } = await host.request<{ token: string }>('POST', '/api-keys', {
        body: { name: role, page_role: role },
      });
      const { page } = await browser.signedIn({ url: host.url, token: body.token }, '/suppressions');
      await page
        .getByRole('link', { name: /@import\.test/ })
        .first()
        .click();
      await page.getByRole('heading', { name: /@import\.test/ }).waitFor();
      expect(await page.getByRole('button', { name: /Add address|Remove/ }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'More' }).count()).toBe(role === 'viewer' ? 0 : 1);
    }
  });

  /** Addresses of the list, newest first. */
  async function emailsOf(origin: string, domain: string): Promise<string[]> {
    const entries: { id: string; email: string }[] = [];
    for (let more = true, query = `?limit=100&origin=${origin}`; more; ) {
      const { body } = await host.request<{ has_more: boolean; data: typeof entries }>('GET', `/suppressions${query}`);
      entries.push(...body.data);
      more = body.has_more;
      query = `?limit=100&origin=${origin}&after=${entries.at(-1)?.id}`;
    }
    return entries.map(({ email }) => email).filter((email) => email.endsWith(domain));
  }
});
