import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { prepareHost, type RunningHost, startHost } from '../support/hosts/host.js';

const browser = useBrowser();

/** Message of the browser about a refusal, for every kind of request. */
const REFUSED = /^console: Failed to load resource: .* 40[13]/;

const keyField = ({ page }: PageTester) => page.getByLabel('API key');
const screens = ({ page }: PageTester) => page.getByRole('navigation', { name: 'Screens' });

describe('signing in with a key', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost();
  });

  async function newKey(fields: object = {}): Promise<{ id: string; token: string }> {
    const body = { name: 'of a test', ...fields };
    return (await host.request<{ id: string; token: string }>('POST', '/api-keys', { body })).body;
  }

  it('opens the requested screen, lasts over a reload and in other tabs, and can be ended', async () => {
    const tester = await browser.visit(host);
    await tester.open('/emails?to=jane%40to.test');
    await keyField(tester).waitFor();
    await tester.audit('sign-in');
    await tester.signIn();
    expect(tester.path).toBe('/emails?to=jane%40to.test');
    await tester.page.reload();
    await screens(tester).waitFor();
    const tab = await tester.page.context().newPage();
    await tab.goto(`${host.url}/dashboard/emails`);
    await tab.getByRole('navigation', { name: 'Screens' }).waitFor();
    await tab.close();
    await tester.page.getByRole('button', { name: 'Sign out' }).click();
    await keyField(tester).waitFor();
    expect(await tester.page.context().cookies()).toEqual([]);
    await tester.page.reload();
    await keyField(tester).waitFor();
  });

  it('stores the key nowhere', async () => {
    const tester = await browser.signedIn(host);
    const kept = await tester.page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(kept).not.toContain(host.token);
    expect(await tester.page.context().cookies()).toEqual([
      expect.objectContaining({ httpOnly: true, sameSite: 'Strict', path: '/dashboard', secure: false }),
    ]);
    expect(tester.page.url()).not.toContain(host.token);
  });

  it('is refused with the problem', async () => {
    const tester = await browser.visit(host, { expected: [REFUSED] });
    await tester.open();
    await keyField(tester).fill(`re_${'x'.repeat(43)}`);
    await tester.page.getByRole('button', { name: 'Sign in' }).click();
    const refused = tester.page.locator('input[aria-invalid="true"]');
    await refused.waitFor();
    expect(await refused.ariaSnapshot()).toContain('API key');
    await tester.audit('sign-in-refused');
    const { token } = await newKey({ permission: 'sending_access' });
    await keyField(tester).fill(token);
    await keyField(tester).press('Enter');
    await tester.page.getByText('This key may only send emails.').waitFor();
  });

  it('ends with the key, with a message', async () => {
    const { id, token } = await newKey();
    const tester = await browser.visit(host, { expected: [REFUSED] });
    // A screen that polls.
    await tester.open('/emails');
    await tester.signIn(token);
    expect((await host.request('DELETE', `/api-keys/${id}`)).status).toBe(200);
    await tester.page.getByRole('heading', { name: 'You were signed out' }).waitFor();
    await keyField(tester).waitFor();
    await tester.audit('signed-out');
  });

  it('shows the first screen quickly, with few bytes', async () => {
    const tester = await browser.visit(host);
    await tester.open();
    await tester.signIn();
    const sizes = await tester.page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
    );
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });
});

describe('signing in with the link of a start', () => {
  it('works once, and leaves nothing in the address', async () => {
    const host = await prepareHost({ env: { BOOTSTRAP_API_KEY: undefined } });
    const link = await linkOf(host);
    const [tester, late] = [await browser.visit(host), await browser.visit(host, { expected: [REFUSED] })];
    await tester.page.goto(link);
    await screens(tester).waitFor();
    expect(tester.page.url()).not.toContain('code');
    expect(await tester.page.evaluate(() => history.length)).toBeLessThan(4);
    await late.page.goto(link);
    await late.page.getByRole('alert').waitFor();
    await keyField(late).waitFor();
  });

  /** Starts the host, and returns its output at the start. */
  async function linkOf(host: RunningHost): Promise<string> {
    void host.start().catch(() => {});
    return until(() => /http:\S+#code=\S+/.exec(host.output)?.[0], { what: 'the link' });
  }
});

describe('redirects to the page', () => {
  it('lead browsers from the root and the inbox, and keep the answers for programs', async () => {
    const host = await startHost({ env: { DASHBOARD_PATH: '/any/where' } });
    const tester = await browser.visit(host, { mount: '/any/where' });
    await tester.page.goto(`${host.url}/`);
    await keyField(tester).waitFor();
    await tester.signIn();
    // A host without email begins with its Start screen.
    await tester.page.getByRole('heading', { name: 'Send your first email' }).waitFor();
    expect(tester.path).toBe('/start');
    await tester.page.goto(`${host.url}/inbox`);
    await screens(tester).waitFor();
    expect(tester.path).toBe('/inbox');
    expect((await host.request('GET', '/inbox')).body).toMatchObject({ object: 'list' });
  });
});
