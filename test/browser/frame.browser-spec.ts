import type { Page } from 'playwright-core';
import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { prepareHost, type RunningHost, startHost } from '../support/hosts/host.js';

const REFUSED = /^console: Failed to load resource: .* 40[13]/;
const AWAY = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;
const AWAY_LINE = 'The server does not answer. This page continues automatically when it does.';

/** Only the loaded screen has this button. The heading is shown during loading, too. */
const metricsOf = (page: Page) => page.getByRole('button', { name: 'Table' });

describe('the frame of the page', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ env: { ADMIN_TOKEN: 'of-the-operators-of-the-tests' } });
  });

  it('moves the focus to the heading of an opened screen, and names the tab after it', async () => {
    const { page, goTo } = await opened('/inbox');
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    expect(await page.title()).toBe('Inbox · Emails');
    await goTo('Metrics');
    // The link to it has the same text.
    await page.waitForFunction(() => document.activeElement?.matches('main h1'));
    expect(await page.title()).toBe('Metrics · Emails');
    await page.goBack();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Inbox');
  });

  it('can be skipped over, and lists its keys', async () => {
    const { page } = await opened('/inbox');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Skip to the content' }).press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Delete the message').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('keeps the theme that was chosen', async () => {
    const { page } = await opened('/inbox');
    await page.getByLabel('Theme').selectOption('dark');
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await scheme()).toBe('dark');
    await page.reload();
    await page.getByLabel('Theme').waitFor();
    expect(await scheme()).toBe('dark');
  });

  it('reports the end of a session, and restores the input', async () => {
    const body = { name: 'short' };
    const key = (await host.request<{ id: string; token: string }>('POST', '/api-keys', { body })).body;
    const tester = await browser.visit(host, { expected: [REFUSED] });
    const { page } = tester;
    await tester.open('/health');
    await tester.signIn(key.token);
    await page.getByLabel('Operator token').fill('half typed');
    await host.request('DELETE', `/api-keys/${key.id}`);
    await page.getByRole('button', { name: 'Show health' }).click();
    await page.getByRole('heading', { name: 'You were signed out' }).waitFor();
    expect(await page.title()).toBe('Sign in · Emails');
    await tester.audit('signed-out');
    await tester.signIn();
    expect(await page.getByLabel('Operator token').inputValue()).toBe('half typed');
  });

  it('shows no data of one account after a sign-in to another', async () => {
    const body = { name: 'short' };
    const key = (await host.request<{ id: string; token: string }>('POST', '/api-keys', { body })).body;
    const other = await host.account('other');
    const tester = await browser.visit(host, { expected: [REFUSED] });
    const { page } = tester;
    await tester.open('/keys');
    await tester.signIn(key.token);
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Only for us');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Token of Only for us' }).waitFor();
    await page.getByRole('button', { name: 'Rename Only for us' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Not for others');
    await host.request('DELETE', `/api-keys/${key.id}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'You were signed out' }).waitFor();
    await tester.signIn(other.token);
    await page.getByText('You are signed in with this key').waitFor();
    const shown = await page.content();
    expect(shown).not.toContain('Only for us');
    expect(shown).not.toContain('Not for others');
  });

  it('signs out in all tabs', async () => {
    const { page } = await opened('/inbox');
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You were signed out' }).waitFor();
  });

  it('survives an unreachable server, and continues when it is back', async () => {
    const tester = await browser.signedIn(host, '/inbox', { expected: [AWAY] });
    const { page } = tester;
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    await host.stop();
    await page.getByText(AWAY_LINE).waitFor();
    expect(await page.getByRole('heading', { name: 'No messages yet' }).isVisible()).toBe(true);
    await tester.audit('away');
    // A screen that was not loaded yet waits too.
    await tester.goTo('Metrics');
    await host.start();
    await page.getByText(AWAY_LINE).waitFor({ state: 'detached' });
    await metricsOf(page).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    const body = { from: 'a@from.test', to: 'b@to.test', subject: 'After all', text: 'x' };
    await host.request('POST', '/emails', { body });
    await tester.goTo('Inbox');
    await page.getByRole('link', { name: /After all/ }).waitFor();
  });

  const SCREEN = '**/assets/metrics-screen*.js';

  it('reloads itself for a screen that failed to load, because browsers request it only once', async () => {
    const tester = await browser.signedIn(host, '/inbox', { expected: [/metrics-screen/] });
    const { page } = tester;
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    let isLoadedAnew = false;
    page.on('request', (request) => (isLoadedAnew ||= request.isNavigationRequest()));
    await page.route(SCREEN, (route) => (isLoadedAnew ? route.continue() : route.abort()));
    await tester.goTo('Metrics');
    await metricsOf(page).waitFor();
    expect(isLoadedAnew).toBe(true);
  });

  it('shows a problem when a screen is missing', async () => {
    const tester = await browser.signedIn(host, '/inbox', { expected: [/metrics-screen/] });
    const { page } = tester;
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await page.route(SCREEN, (route) => route.fulfill({ status: 404 }));
    await tester.goTo('Metrics');
    await page.getByText('Metrics could not be shown').waitFor();
    await page.unroute(SCREEN);
    await page.getByRole('button', { name: 'Try again' }).click();
    await metricsOf(page).waitFor();
  });

  it('removes the code of a link from the address, also during a session', async () => {
    const started = await prepareHost({ env: { BOOTSTRAP_API_KEY: undefined } });
    void started.start().catch(() => {});
    const link = await until(() => /http:\S+#code=\S+/.exec(started.output)?.[0], { what: 'the link' });
    const { hash } = new URL(link);
    const tester = await browser.visit(started, { expected: [REFUSED] });
    const { page } = tester;
    await tester.open('/emails');
    await page.getByLabel('API key').waitFor();
    // In a tab that already shows the page, which is not reloaded.
    await page.evaluate((fragment) => {
      location.hash = fragment;
    }, hash);
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(tester.path).toBe('/emails');

    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.evaluate((fragment) => {
      location.hash = fragment;
    }, hash);
    expect((await answered).status()).toBe(401);
    expect(tester.path).toBe('/emails');
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  async function opened(path: string) {
    const tester = await browser.signedIn(host, path, { expected: [REFUSED] });
    await tester.page.getByRole('heading', { level: 1 }).waitFor();
    return { page: tester.page, goTo: (title: string) => tester.goTo(title) };
  }
});
