import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Attacks of a message; none of them has an effect. */
const hostile = (elsewhere: string) => `
  <style>* { position: fixed; inset: 0 } @import "${elsewhere}/style.css"; body { background: url(${elsewhere}/ground.png) }</style>
  <script>parent.document.title = 'taken'; top.location = '${elsewhere}/script'</script>
  <meta http-equiv="refresh" content="0; url=${elsewhere}/refresh">
  <base href="${elsewhere}/">
  <img id="image" src="${elsewhere}/image.png" onerror="parent.document.title = 'taken'">
  <iframe src="${elsewhere}/frame"></iframe>
  <form action="${elsewhere}/form"><button id="submit" style="position: static">Send</button></form>
  <a id="link" href="javascript:parent.document.title='taken'" style="position: static">Read more</a>
  <svg onload="parent.document.title = 'taken'"><image href="${elsewhere}/svg.png"/></svg>`;

/** Messages of the browser about actions that it stopped. */
const KEPT_FROM = [/Content Security Policy/, /sandboxed/, /Blocked (script|form)/, /javascript:/];

describe('the inbox', () => {
  const browser = useBrowser();
  let host: RunningHost;
  /** The real server. */
  let relay: SmtpSink;
  /** Paths that hostile messages asked of another server. It stays until the pages are closed, which still load images. */
  const asked: string[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });

  beforeAll(async () => {
    relay = await SmtpSink.start();
    host = await startHost({ env: { INBOX_RELEASE_URL: relay.url } });
    await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
  });

  afterAll(() => {
    elsewhere.close();
  });

  async function send(subject: string, fields: object = {}): Promise<string> {
    const body = { from: 'Acme <acme@from.test>', to: 'jane@to.test', subject, text: `Text of ${subject}`, ...fields };
    const answer = await host.request<{ id: string }>('POST', '/emails', { body });
    expect(answer.status).toBe(200);
    return answer.body.id;
  }

  const row = ({ page }: PageTester, subject: string) =>
    page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: new RegExp(subject) });

  it('explains an empty inbox, and shows new messages automatically', async () => {
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    await page.getByText(`curl '${host.url}/emails'`).waitFor();
    await page.getByText('Refused permanently: the email bounces.').waitFor();
    await tester.audit('inbox-empty');
    await send('The first');
    await row(tester, 'The first').waitFor();
    await page.waitForFunction(() => document.title === '(1) Inbox · Emails');
    await tester.audit('inbox');
  });

  it('shows all parts of a message, and links to its email', async () => {
    const attachments = [{ filename: 'list.txt', content: Buffer.from('a list').toString('base64') }];
    const id = await send('An order', { html: '<p>Thank you</p>', bcc: 'hidden@to.test', attachments });
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    await row(tester, 'An order').click();
    await page.frameLocator('iframe').getByText('Thank you').waitFor();
    await page.getByText('hidden@to.test').waitFor();
    await page.getByText('Valid, of from.test').waitFor();
    await tester.audit('inbox-html');
    await page.getByRole('radio', { name: 'phone' }).check();
    expect(tester.path).toContain('width=phone');
    expect((await page.locator('iframe').boundingBox())?.width).toBeLessThan(400);

    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByText('Text of An order').waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByRole('rowheader', { name: 'Message-ID' }).waitFor();
    await tester.audit('inbox-headers');
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText(/^MIME-Version: 1\.0$/m).waitFor();
    await tester.audit('inbox-source');
    await page.getByRole('tab', { name: 'Attachments (1)' }).click();
    await tester.audit('inbox-attachments');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download list.txt' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('list.txt');
    expect(await readFile(await file.path(), 'utf8')).toBe('a list');

    await page.reload();
    await page.getByRole('tab', { name: 'Attachments (1)', selected: true }).waitFor();
    await page.getByRole('link', { name: 'View email' }).click();
    expect(tester.path).toBe(`/emails/${id}`);
  });

  it('finds by sender, recipient and subject', async () => {
    await send('A needle');
    await send('Some hay');
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    await row(tester, 'Some hay').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('needle');
    await row(tester, 'Some hay').waitFor({ state: 'detached' });
    await row(tester, 'A needle').waitFor();
    expect(tester.path).toBe('/inbox?search=needle');
    await page.keyboard.type('xyz');
    await page.getByRole('heading', { name: 'No matching messages' }).waitFor();
  });

  it('finds by filters, and says of others that they are none', async () => {
    const content = Buffer.from('a file').toString('base64');
    await send('With a file', { attachments: [{ filename: 'a.txt', content }] });
    await send('For Ann', { to: 'ann@to.test' });
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    const search = page.getByRole('searchbox');
    await search.fill('has:attachment subject:"with a"');
    await row(tester, 'For Ann').waitFor({ state: 'detached' });
    await row(tester, 'With a file.*1 attachment').waitFor();
    await search.fill('to:ann');
    await row(tester, 'For Ann').waitFor();
    await search.fill('cc:ann');
    await page.getByRole('heading', { name: 'This search is not understood' }).waitFor();
    await page.getByText('`cc:ann` is no filter.').waitFor();
    expect(await page.getByRole('region', { name: 'Messages' }).count()).toBe(0);
    await tester.audit('inbox-not-understood');
  });

  it('sends to every simulated address by a button', async () => {
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    await row(tester, '').first().waitFor();
    await page.getByText('Try an outcome').click();
    for (const address of ['delivered', 'delayed', 'bounced'].map((name) => `${name}@example.com`)) {
      await page.getByRole('button', { name: `Send to ${address}` }).click();
      await page.getByText(`Sent to ${address}.`).waitFor();
    }
    await tester.audit('inbox-simulated');
    await page.getByRole('status').getByRole('link', { name: 'View email' }).click();
    await page.getByRole('article').getByText('bounced').first().waitFor();
  });

  it('shows images small, and what mail programs lack', async () => {
    const content = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const html = '<p style="display: flex">Hi</p><video></video>';
    await send('A picture', { html, attachments: [{ filename: 'dot.png', content }] });
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    await row(tester, 'A picture').click();
    await page.getByRole('tab', { name: 'Attachments (1)' }).click();
    const image = page.getByRole('img', { name: 'Image dot.png' });
    await image.scrollIntoViewIfNeeded();
    await until(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth === 1));
    await tester.audit('inbox-thumbnail');
    await page.getByRole('tab', { name: 'Mail programs (2)' }).click();
    await page.getByRole('row', { name: /Flexbox 1 Outlook on Windows/ }).waitFor();
    await tester.audit('inbox-support');
  });

  it('releases a message to a real mailbox, and shows the answers', async () => {
    relay.onRcpt = (address) => (address.startsWith('nobody') ? '550 5.1.1 no such mailbox' : undefined);
    await send('To be released');
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    await row(tester, 'To be released').click();
    await page.getByRole('button', { name: 'Release…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Recipients').inputValue()).toBe('jane@to.test');
    await dialog.getByLabel('Recipients').fill('me@real.test, nobody@real.test');
    await tester.audit('inbox-release');
    await dialog.getByRole('button', { name: 'Release', exact: true }).click();
    await dialog.getByText('550 5.1.1 no such mailbox').waitFor();
    await tester.audit('inbox-released');
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(relay.messages.map(({ envelope }) => envelope.to)).toEqual([['me@real.test']]);
  });

  it('notifies of new messages in the background, once the reader asked for it', async () => {
    const tester = await browser.visit(host);
    const { page } = tester;
    await page.addInitScript(() => {
      const shown: string[] = [];
      class Shown {
        static readonly permission = 'default';
        static readonly requestPermission = async () => 'granted';
        constructor(title: string) {
          shown.push(title);
        }
      }
      Object.assign(globalThis, { Notification: Shown, shown });
      Object.defineProperty(document, 'hidden', { get: () => true });
    });
    await tester.open('/inbox');
    await tester.signIn();
    await send('Before');
    await row(tester, 'Before').waitFor();
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByRole('button', { name: 'Notify me', pressed: true }).waitFor();
    await send('While away');
    await page.waitForFunction(() => (globalThis as unknown as { shown: string[] }).shown.includes('While away'));
    expect(await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)).toEqual(['While away']);
  });

  it('can be read and emptied with the keyboard alone', async () => {
    await send('Older');
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    await row(tester, 'Older').waitFor();
    await send('Newer');
    await row(tester, 'Newer').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Newer', level: 2 }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Older', level: 2 }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Newer', level: 2 }).waitFor();
    await page.keyboard.press('#');
    await page.getByRole('heading', { name: 'Older', level: 2 }).waitFor();
    await row(tester, 'Newer').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    expect(tester.path).toBe('/inbox');

    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    expect((await host.request<{ data: unknown[] }>('GET', '/inbox')).body.data).toEqual([]);
  });

  it('holds back new messages while the reader is further down', async () => {
    for (let i = 0; i < 20; i += 1) await send(`Number ${i}`);
    const tester = await browser.signedIn(host, '/inbox');
    const { page } = tester;
    await page.waitForFunction(() => document.title.startsWith('(20)'));
    const list = page.getByRole('region', { name: 'Messages' });
    await list.evaluate((element) => element.scrollTo({ top: 200 }));
    await send('Fresh one');
    await send('Fresh two');
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await row(tester, 'Fresh').count()).toBe(0);
    expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBe(200);
    await page.getByRole('button', { name: '2 new' }).click();
    await row(tester, 'Fresh two').waitFor();
  });

  it('blocks a hostile message, and loads its images on request', async () => {
    const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    await send('<b>Hostile</b>', { html: hostile(address) });
    // The browser also reports blocked requests.
    const tester = await browser.signedIn(host, '/inbox', { expected: [...KEPT_FROM, /a request to/] });
    const { page } = tester;
    await row(tester, '<b>Hostile</b>').click();
    const frame = page.frameLocator('iframe');
    await frame.locator('#link').dispatchEvent('click');
    await frame.locator('#submit').dispatchEvent('click');
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('tab', { name: 'HTML' }).click();
    await frame.locator('#image').waitFor({ state: 'attached' });
    expect(await page.title()).not.toContain('taken');
    expect(tester.path).toMatch(/^\/inbox\/[0-9a-f-]+/);
    expect(asked).toEqual([]);

    await page.getByRole('button', { name: 'Load images' }).click();
    await until(() => asked.includes('/image.png'));
    expect(await page.title()).not.toContain('taken');
    expect(asked.filter((path) => !path.endsWith('.png'))).toEqual([]);
  });
});
