import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';

const browser = useBrowser();
/** The screen of a person asks whether the address is a contact, and whether it is suppressed. */
const NOT_KNOWN = /^console: Failed to load resource: .* 404 .*\/api\/(contacts|suppressions)\/[^/]+$/;

let host: RunningHost;

beforeAll(async () => {
  ({ host } = await shareHost());
});

const field = ({ page }: PageTester) => page.getByRole('combobox', { name: 'Screen, address or id' });
const results = ({ page }: PageTester) => page.getByRole('listbox', { name: 'Results' }).getByRole('option');
const option = ({ page }: PageTester, name: string) => page.getByRole('option', { name, exact: true });

async function opened(path: string, expected: readonly RegExp[] = []): Promise<PageTester> {
  const tester = await browser.signedIn(host, path, { expected });
  await tester.page.getByRole('main').getByRole('heading').first().waitFor();
  return tester;
}

describe('going anywhere', () => {
  it.each(['Control+k', 'Meta+K'])(
    'opens by %s, also while typing, and leads to a screen by a few letters',
    async (key) => {
      const tester = await opened('/contacts');
      const { page } = tester;
      await page.keyboard.press('/');
      await page.keyboard.press(key);
      await field(tester).waitFor();
      await page.keyboard.type('log');
      await option(tester, 'Activity log').waitFor();
      expect(await results(tester).count()).toBe(1);
      await page.keyboard.press('Enter');
      await until(() => tester.path === '/activity');
      await page.waitForFunction(() => document.activeElement?.textContent === 'Activity log');
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
  );

  it('moves through the results with the arrows, says when there are none, and leaves with Escape', async () => {
    const tester = await opened('/topics');
    const { page } = tester;
    await page.getByRole('button', { name: /^Go to/ }).click();
    await option(tester, 'Emails').waitFor();
    expect(await option(tester, 'Emails').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await option(tester, 'Metrics').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    // From the first to the last.
    expect(await results(tester).last().getAttribute('aria-selected')).toBe('true');
    await tester.audit('go-to');
    await field(tester).fill('nothing like it \u202e');
    await page.getByText('Nothing matches.').waitFor();
    await page.keyboard.press('Enter');
    await tester.audit('go-to-none');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(tester.path).toBe('/topics');
  });

  it('leads to an email by its id, and to a person by an address', async () => {
    const body = { from: 'us@from.test', to: 'jane+a@to.test', subject: 'To be found', text: 'x' };
    const { id } = (await host.request<{ id: string }>('POST', '/emails', { body })).body;
    const tester = await opened('/topics', [NOT_KNOWN]);
    const { page } = tester;
    await page.keyboard.press('Control+k');
    await field(tester).fill(` ${id.toUpperCase()} `);
    await option(tester, `Email ${id.toUpperCase()}`).click();
    await page.getByRole('heading', { name: 'To be found' }).first().waitFor();
    expect(tester.path).toBe(`/emails/${id}`);
    await page.keyboard.press('Control+k');
    await field(tester).fill('jane+a@to.test');
    await option(tester, 'Emails to jane+a@to.test').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'jane+a@to.test', level: 1 }).waitFor();
  });

  it('is reached without a keyboard on a phone', async () => {
    const tester = await browser.signedIn(host, '/topics', { width: 390 });
    const { page } = tester;
    await page.getByRole('button', { name: 'More' }).click();
    await tester.audit('more-390');
    await page.getByRole('button', { name: 'Go to…' }).click();
    await option(tester, 'Contacts').click();
    await until(() => tester.path === '/contacts');
  });
});

describe('the top of the navigation', () => {
  it('names the account and where its mail goes, to people who are signed in', async () => {
    const other = await host.account('Acme \u202eevil');
    const tester = await browser.visit(host);
    await tester.open('/topics');
    await tester.page.getByLabel('API key').waitFor();
    expect(await tester.page.getByText('127.0.0.1').count()).toBe(0);
    await tester.signIn(other.token);
    const top = tester.page.getByRole('navigation', { name: 'Screens' });
    await top.getByText('Acme \ufffdevil').first().waitFor();
    await top.getByText('127.0.0.1', { exact: true }).first().waitFor();
  });
});
