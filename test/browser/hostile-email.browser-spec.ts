import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { hostileHtml } from '../support/requests/hostile-email.js';

/** Messages of the browser when it stops html from forbidden actions. */
const KEPT = [
  ...[/Content Security Policy/, /sandboxed/, /Blocked script execution/, /Not allowed to load/, /NotSameOrigin/],
  // The record includes requests blocked by the policy; the canary counts those that arrive.
  /^a request to http:\/\/127\.0\.0\.1/,
];

describe('a hostile email', () => {
  const browser = useBrowser();
  let host: RunningHost;
  let emailId: string;
  const hits: string[] = [];
  const canary = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end();
  });
  const addressOf = () => `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;

  beforeAll(async () => {
    await new Promise<void>((listening) => canary.listen(0, '127.0.0.1', listening));
    host = await startHost();
    const body = {
      from: 'a@example.com',
      to: 'ann@example.com',
      subject: '<script>document.title="taken"</script>',
      html: hostileHtml(addressOf()),
      text: '<b>no html</b>',
    };
    const answer = await host.request<{ id: string }>('POST', '/emails', { body });
    emailId = answer.body.id;
    await until(async () => {
      const { body: list } = await host.request<{ data: unknown[] }>('GET', '/inbox', { token: null });
      return list.data.length > 0;
    });
  });

  afterAll(() => {
    canary.close();
  });

  it.each([
    ['/emails', /^<script>document\.title="taken"<\/script> · Emails$/],
    ['/inbox', /^(?:\(\d\) )?Inbox · Emails$/],
  ])('does nothing in %s', async (screen, title) => {
    const tester = await browser.signedIn(host, screen, { expected: KEPT });
    const { page } = tester;
    await page.getByRole('link', { name: /<script>/ }).click();
    if (screen === '/emails') await until(() => tester.path.startsWith(`/emails/${emailId}`));
    const frame = page.frameLocator('iframe');
    await frame.getByText('the end of it').waitFor();
    const sizeOf = () =>
      page.locator('iframe').evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
    const size = await sizeOf();
    const url = page.url();

    // Clicks everything clickable in it: links, forms and overlays.
    await frame.getByText('javascript link').click();
    await frame.getByRole('button', { name: 'send' }).click();
    await page.keyboard.press('Tab');
    await frame.getByText('the end of it').click();

    expect(await page.title()).toMatch(title);
    expect(page.url()).toBe(url);
    expect(page.context().pages().length).toBeLessThanOrEqual(2);
    expect(await sizeOf()).toEqual(size);
    const [element] = await page.$$('iframe');
    const inside = await element?.contentFrame();
    // Scripts of the email did not run, and it has no origin that could reach the surrounding page.
    expect(await inside?.evaluate(() => [document.body.dataset.ran ?? 'nothing ran', window.origin])).toEqual([
      'nothing ran',
      'null',
    ]);
    expect(hits).toEqual([]);
    await tester.audit(`hostile-${screen.slice(1)}`);
  });

  it('loads images, and nothing else, on request', async () => {
    const tester = await browser.signedIn(host, `/emails/${emailId}`, { expected: KEPT });
    const { page } = tester;
    await page.frameLocator('iframe').getByText('the end of it').waitFor();
    await page.getByRole('button', { name: 'Load images' }).click();
    await until(() => hits.some((path) => path.startsWith('/image')));
    await page.frameLocator('iframe').getByText('the end of it').waitFor();
    expect(hits.filter((path) => !path.startsWith('/image'))).toEqual([]);
  });
});
