import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterFile } from '../support/basics/cleanup.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester, Visited } from '../support/browser/page-tester.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const run = promisify(execFile);
const browser = useBrowser();

let host: RunningHost;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  afterFile(() => rm(folder, { recursive: true }));
  host = await startHost();
});

/** The host as an account sees it that has never sent an email. */
let fresh: Visited;

beforeEach(async () => {
  fresh = { url: host.url, token: (await host.account(`starter ${Math.random()}`)).token };
});

const button = ({ page }: PageTester, name: string) => page.getByRole('button', { name, exact: true });

/** The snippet in a language, as the button copies it. */
async function copied({ page }: PageTester, language: string): Promise<string> {
  await page.getByRole('tab', { name: language }).click();
  await page.getByRole('button', { name: `Copy the code for ${language}` }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Pastes a snippet, and runs it. */
const PASTE: Record<string, (code: string) => Promise<unknown>> = {
  cURL: (code) => run('bash', ['-c', code]),
  Node: async (code) => {
    await writeFile(join(folder, 'send.mjs'), code);
    return run('node', [join(folder, 'send.mjs')]);
  },
  Python: async (code) => {
    await writeFile(join(folder, 'send.py'), code);
    return run('python3', [join(folder, 'send.py')]);
  },
};

describe('Start', () => {
  it.each(Object.keys(PASTE))('leads from nothing to a delivered email by a pasted snippet: %s', async (language) => {
    const tester = await browser.signedIn(fresh, '/');
    const { page } = tester;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('heading', { name: 'Send your first email' }).waitFor();
    expect(tester.path).toBe('/start');
    await button(tester, 'Create API key').click();
    await page.getByText('Your key is in the snippets').waitFor();
    await PASTE[language]?.(await copied(tester, language));
    await page.getByText('Your first email is here').waitFor();
    await tester.audit(`start-${language}`);
    await page.getByRole('link', { name: 'Open the inbox' }).click();
    await page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: /Hello/ }).first().waitFor();
    const { body } = await host.request<{ data: { name: string }[] }>('GET', '/api-keys', { token: fresh.token });
    expect(body.data.map(({ name }) => name)).toContain('Start');
  });

  it('is looked through without a key, and sends a test by one click', async () => {
    const tester = await browser.signedIn(fresh, '/start', { width: 320 });
    const { page } = tester;
    await page.getByText('Waiting for your first email…').waitFor();
    await tester.audit('start-320');
    for (const language of ['cURL', 'Node', 'Python', 'Nest']) {
      await page.getByRole('tab', { name: language }).click();
      await page.getByRole('tabpanel').getByText('acme@example.com').waitFor();
    }
    await button(tester, 'Send a test').click();
    await page.getByText('Your first email is here').waitFor();
    await page.getByRole('link', { name: 'View email' }).click();
    await page.getByRole('heading', { name: 'Hello', level: 2 }).waitFor();
  });

  it('is no longer the first screen after the first email', async () => {
    const email = { from: 'a@from.test', to: 'b@to.test', subject: 'Before', text: 'x' };
    expect((await host.request('POST', '/emails', { body: email, token: fresh.token })).status).toBe(200);
    const tester = await browser.signedIn(fresh, '/');
    await tester.page.getByRole('region', { name: 'Messages' }).waitFor();
    expect(tester.path).toBe('/inbox');
    expect(await tester.page.getByRole('link', { name: 'Start' }).count()).toBe(0);
  });
});
