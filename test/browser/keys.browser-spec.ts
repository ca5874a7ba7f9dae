import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';

const browser = useBrowser();

/** Message of the browser about a refusal. */
const REFUSED = /^console: Failed to load resource: .* 401/;

let host: RunningHost;

beforeAll(async () => {
  ({ host } = await shareHost());
});

const button = ({ page }: PageTester, name: string) => page.getByRole('button', { name, exact: true });

describe('keys', () => {
  it('are created, shown once, renamed and revoked', async () => {
    const tester = await browser.signedIn(host, '/keys');
    const { page } = tester;
    await page.getByText('You are signed in with this key').waitFor();
    await button(tester, 'Create API key').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Backend');
    // The least permission is preset.
    expect(await page.getByLabel('Permission').inputValue()).toBe('sending_access');
    await button(tester, 'Create key').click();
    await page.getByText('Never used').waitFor();
    const token = (await page.getByRole('region', { name: 'Token of' }).locator('code').textContent()) ?? '';
    const body = { from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'x' };
    expect((await host.request('POST', '/emails', { body, token })).status).toBe(200);
    expect((await host.request('GET', '/topics', { token })).status).toBe(401);
    await page.getByText(`${token.slice(0, 8)}…`).waitFor();
    await page.getByText('Sending only').waitFor();
    await tester.audit('key-made');
    await button(tester, 'Done').click();
    expect(await page.content()).not.toContain(token);

    await button(tester, 'Rename Backend').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Worker');
    await button(tester, 'Save').click();
    await button(tester, 'Revoke Worker').click();
    await button(tester, 'Revoke key').click();
    await page.getByText('Worker', { exact: true }).waitFor({ state: 'detached' });
    expect((await host.request('POST', '/emails', { body, token })).status).toBe(401);
    await tester.audit('keys');
  });

  it('end the session that uses them when they are revoked', async () => {
    const { token } = (await host.request<{ token: string }>('POST', '/api-keys', { body: { name: 'Mine' } })).body;
    const tester = await browser.visit(host, { expected: [REFUSED] });
    await tester.open('/keys');
    await tester.signIn(token);
    await button(tester, 'Revoke Mine').click();
    await tester.page.getByText('will be signed out').waitFor();
    await button(tester, 'Revoke key').click();
    await tester.page.getByLabel('API key').waitFor();
  });
});
