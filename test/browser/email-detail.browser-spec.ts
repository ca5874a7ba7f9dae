import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const HTML = `<!-- a comment --><h1 style="color: #123">Order 1182</h1><p>Thank you, Jane.</p>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<a href="http://shop.example/track">Track it</a> <a href="https://evil.example/">www.bank.example</a>`;

describe('one email', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ env: { RETRY_SCHEDULE: '1h,1h,1h' } });
  });

  const send = async (email: object): Promise<string> => {
    const body = { from: 'Shop <shop@example.com>', to: 'ann@example.com', subject: 'Hello', text: 'hello', ...email };
    const answer = await host.request<{ id: string }>('POST', '/emails', { body });
    expect(answer.status).toBe(200);
    return answer.body.id;
  };
  const settled = (id: string, state: string) =>
    until(async () => (await host.request<{ last_event: string }>('GET', `/emails/${id}`)).body.last_event === state);
  const choose = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const openTab = async ({ page }: PageTester, name: string | RegExp) => {
    await page.getByRole('tab', { name }).click();
    return page.getByRole('tabpanel');
  };
  const timelineOf = (page: Page) => page.getByRole('region', { name: 'Events' });

  it('says what the server answered, when, what it means and what to do', async () => {
    const id = await send({ to: ['ann@example.com', 'bounced-bob@example.com', 'delayed-cy@example.com'] });
    await settled(id, 'bounced');
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    const timeline = timelineOf(page);
    await timeline.getByText('550 There is no such mailbox, as its name asks for').waitFor();
    await timeline
      .getByText(
        "The recipient's server doesn't know this address. Check the address with the recipient by other means.",
      )
      .waitFor();
    await timeline
      .getByText(/\d{1,2}:\d\d:\d\d · \+\d+\.\d s · attempt 1/)
      .first()
      .waitFor();
    await timeline.getByText('Next attempt').waitFor();
    await timeline.getByText(/in 1 hr|in 59 min|in 60 min/).waitFor();
    await tester.audit('email-bounced');
    const person = timeline.getByRole('link', { name: 'bounced-bob@example.com' });
    expect(await person.getAttribute('href')).toMatch(/\/people\/bounced-bob%40example\.com$/);
  });

  it('leads from sender, tag and topic to the emails that have them', async () => {
    const { body: topic } = await host.request<{ id: string }>('POST', '/topics', {
      body: { name: 'Product news', default_subscription: 'opt_in' },
    });
    const id = await send({ tags: [{ name: 'order', value: '1182' }], topic_id: topic.id, subject: 'With a tag' });
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    for (const [name, query] of [
      ['Shop <shop@example.com>', 'from:shop@example.com'],
      ['order: 1182', 'tag:order:1182'],
      ['Product news', `topic:${topic.id}`],
    ] as const) {
      await page.getByRole('article').getByRole('link', { name }).click();
      await until(() => new URLSearchParams(tester.path.split('?')[1]).get('q') === query);
      await page.getByRole('link', { name: /With a tag/ }).waitFor();
      await tester.open(`/emails/${id}`);
    }
    await page.waitForFunction(() => document.title.startsWith('With a tag'));
    const panel = await openTab(tester, /^Checks/);
    await panel.getByText('no List-Unsubscribe header').waitFor();
  });

  it('sends the same email by the copied command', async () => {
    const subject = 'It\'s $(id) `here`\u202e \\ "quoted"';
    const content = Buffer.from('a list').toString('base64');
    const id = await send({ subject, html: HTML, attachments: [{ filename: 'list.txt', content }] });
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    await page.getByRole('tab', { name: 'Attachments (1)' }).waitFor();
    await choose(page, 'Copy as cURL');
    const dialog = page.getByRole('dialog', { name: 'Send it with cURL' });
    await dialog.getByText('1 attachment and headers of your own are left out.').waitFor();
    const command = (await dialog.locator('pre').textContent()) ?? '';
    await tester.audit('email-curl');
    const answer = execFileSync('sh', ['-c', command], {
      env: { ...process.env, API_KEY: host.token },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { body } = await host.request<Record<string, unknown>>('GET', `/emails/${JSON.parse(answer).id}`);
    expect(body).toMatchObject({ subject, html: HTML, text: 'hello', to: ['ann@example.com'] });
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  it('is shared by a link that needs no sign-in, and saved as a file with a plain name', async () => {
    const id = await send({ subject: '../Order: 1182' });
    await settled(id, 'delivered');
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    await choose(page, 'Share');
    await tester.audit('email-share');
    await page.getByRole('button', { name: 'Create link' }).click();
    const shared = await page.getByRole('dialog').getByText('/files/').textContent();
    expect(await (await fetch(shared ?? '')).text()).toContain('Order: 1182');
    await page.getByRole('button', { name: 'Done' }).click();
    const saved = page.waitForEvent('download');
    await choose(page, 'Download .eml');
    expect((await saved).suggestedFilename()).toBe(`Order-1182-${id.slice(0, 8)}.eml`);
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('Subject: ../Order: 1182');
  });

  it('has its actions in a menu that the keyboard alone can use', async () => {
    const id = await send({ scheduled_at: 'in 2 hours', subject: 'Later' });
    const tester = await browser.signedIn(host, `/emails/${id}`, { width: 390 });
    const { page } = tester;
    const more = page.getByRole('button', { name: 'More', exact: true }).last();
    await page.getByRole('button', { name: 'Reschedule' }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await more.focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent?.trim() === 'Cancel');
    await tester.audit('email-menu');
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction(() => document.activeElement?.textContent?.trim() === 'Download .eml');
    await page.keyboard.press('Escape');
    expect(await more.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(tester.path).toBe(`/emails/${id}`);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Cancel' }).press('Enter');
    await page.getByRole('button', { name: 'Cancel the email' }).click();
    await timelineOf(page).getByText('It was canceled before it was sent.').waitFor();
  });

  it('checks the message, and fetches nothing for it', async () => {
    const id = await send({ html: `${HTML}<img src="https://elsewhere.example/a.png">`, text: '' });
    const tester = await browser.signedIn(host, `/emails/${id}?tab=checks`);
    await tester.page.getByRole('tab', { name: 'Checks (3)', selected: true }).waitFor();
    const panel = tester.page.getByRole('tabpanel');
    await panel.getByText('There is none, because text was sent empty.').waitFor();
    await panel.getByText('2 images without an alternative text').waitFor();
    await panel.getByText('2 links to look at').waitFor();
    await panel.getByRole('row', { name: /Track it http:\/\/shop.example\/track Not encrypted/ }).waitFor();
    await panel
      .getByRole('row', { name: /www.bank.example https:\/\/evil.example\/ The text shows another/ })
      .waitFor();
    expect(await panel.getByRole('link').count()).toBe(0);
    await tester.audit('email-checks');
  });

  it('is previewed at every width, on both grounds', async () => {
    const scheme = '<style>#d { display: none } @media (prefers-color-scheme: dark) { #d { display: block } }</style>';
    const id = await send({ html: `${scheme}<p>Hi</p><p id="d">In the dark</p>` });
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    // The test's own choice of a theme would hold in frames too.
    await page.emulateMedia({ colorScheme: null });
    const frame = page.frameLocator('iframe');
    await frame.getByText('Hi').waitFor();
    expect(await page.getByRole('button', { name: 'Load images' }).count()).toBe(0);
    await page.getByRole('radio', { name: 'Phone' }).check();
    expect((await page.locator('iframe').boundingBox())?.width).toBeLessThan(400);
    await page.getByRole('radio', { name: 'Dark' }).check();
    await frame.getByText('In the dark').waitFor();
    expect(tester.path).toBe(`/emails/${id}?width=phone&ground=dark`);
    await tester.audit('email-preview-dark');
    await page.emulateMedia({ colorScheme: null });
    await page.reload();
    await frame.getByText('In the dark').waitFor();
  });

  it('shows its html in colours, and runs none of it', async () => {
    const id = await send({ html: `${HTML}<script>document.title = 'taken'</script><img src=x onerror="alert(1)">` });
    const tester = await browser.signedIn(host, `/emails/${id}?tab=html`);
    const panel = tester.page.getByRole('tabpanel');
    await panel.locator('.comment').getByText('<!-- a comment -->').waitFor();
    expect((await panel.locator('pre').textContent())?.startsWith(HTML)).toBe(true);
    await tester.audit('email-html');
    expect(await tester.page.title()).not.toContain('taken');
  });

  it('says in every tab why nothing is shown', async () => {
    const { body: key } = await host.request<{ token: string }>('POST', '/api-keys', {
      body: { name: 'Viewer', page_role: 'viewer' },
    });
    const seen = await send({ subject: 'For a viewer' });
    const secret = await send({ subject: 'A secret', sensitive: true });
    const viewer = await browser.visit(host);
    await viewer.open(`/emails/${seen}`);
    await viewer.signIn(key.token);
    const admin = await browser.signedIn(host, `/emails/${secret}`);
    for (const [tester, sentence, name] of [
      [viewer, 'Your role does not show contents.', 'email-for-viewer'],
      [admin, 'This email is sensitive: its content is shown nowhere', 'email-sensitive'],
    ] as const) {
      await tester.page.getByRole('tabpanel').getByText(sentence).waitFor();
      for (const tab of ['Text', 'HTML', 'Headers', 'Source', 'Attachments', 'Checks']) {
        await (await openTab(tester, tab)).getByText(sentence).waitFor();
      }
      expect(await tester.page.getByRole('button', { name: 'More', exact: true }).count()).toBe(0);
      await tester.audit(name);
    }
  });

  it('holds the longest and strangest subject, on a phone and in the dark', async () => {
    const subject = `${'W'.repeat(500)} ${'long '.repeat(99)}`.slice(0, 998);
    const to = Array.from({ length: 50 }, (_, at) => `${at === 7 ? 'bounced' : 'ann'}+${at}@example.com`);
    const id = await send({ subject, to, html: `<p>${'x'.repeat(120_000)}</p>` });
    await settled(id, 'bounced');
    const tester = await browser.signedIn(host, `/emails/${id}`, { width: 390, height: 844 });
    const { page } = tester;
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Show 45 more' }).click();
    await page.getByRole('article').getByRole('link', { name: 'ann+49@example.com' }).first().waitFor();
    await timelineOf(page).getByText("The recipient's server doesn't know this address.").waitFor();
    expect(await timelineOf(page).locator('details').count()).toBe(49);
    await tester.audit('email-extreme');
    const panel = await openTab(tester, 'Checks (1)');
    await panel.getByText('Gmail cuts a message off after 102 kB').waitFor();
  });

  it('stays quick with html of 5 MB, and asks for it once', async () => {
    const id = await send({ to: 'delayed-big@example.com', html: `<p>${'<b>a</b> '.repeat(550_000)}</p>` });
    await settled(id, 'delivery_delayed');
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page, requested } = tester;
    await timelineOf(page).getByText('Next attempt').waitFor();
    const panel = await openTab(tester, /^Checks/);
    await panel.getByText('images and links are checked in its first 1.0 MB').waitFor();
    await (await openTab(tester, 'HTML')).getByText('The first 1.0 MB of 5.0 MB are shown.').waitFor();
    const asked = (end: string) => requested.filter((url) => url.endsWith(end)).length;
    const before = asked(`/emails/${id}`);
    const polled = asked('/recipients');
    await until(() => asked('/recipients') >= polled + 2);
    expect(asked(`/emails/${id}`)).toBe(before);
  });
});
