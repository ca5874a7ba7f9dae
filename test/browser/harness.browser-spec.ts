import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/basics/wait-for.js';
import { audit } from '../support/browser/audit.js';
import { TestBrowser } from '../support/browser/browser.js';

const GOOD = `<main><h1>Emails</h1><p>All is well.</p></main>`;

/** Tests of the page rely on the detection of every fault. */
describe('the browser of the tests', () => {
  const browser = new TestBrowser();
  let body = GOOD;
  const server = createServer((request, response) => {
    if (request.url === '/missing') response.statusCode = 404;
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-security-policy', "default-src 'self' 'unsafe-inline' http://127.0.0.2:9");
    response.end(`<!doctype html><html lang="en"><title>Emails</title><link rel="icon" href="/icon">${body}</html>`);
  });
  let host: { url: string; token: string };

  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    host = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: '' };
  });

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  it.each([
    ['an error in a script', '<script>nowhere()</script>', /^script: .*nowhere is not defined/],
    ['an error in the console', '<script>console.error("odd")</script>', /^console: odd/],
    ['a missing file', '<img alt="" src="/missing">', /^console: .*404/],
    ['a violation of the policy', '<img alt="" src="http://127.0.0.3:9/a.png">', /^console: .*Content Security Policy/],
    [
      'a request to others',
      '<img alt="" src="http://127.0.0.2:9/a.png">',
      /^a request to http:\/\/127\.0\.0\.2:9\/a\.png/,
    ],
  ])('sees %s', async (_, html, problem) => {
    body = GOOD + html;
    const tester = await browser.visit(host, { mount: '' });
    await tester.open();
    await until(() => tester.problems.length > 0);
    expect(await browser.endOfTest()).toContainEqual(expect.stringMatching(problem));
  });

  it('finds nothing in a correct page', async () => {
    body = GOOD;
    const tester = await browser.visit(host, { mount: '' });
    await tester.open();
    await tester.audit('harness');
    expect(await browser.endOfTest()).toEqual([]);
  });

  it.each([
    ['a picture without words', '<img src="/">', /light: image-alt/],
    [
      'text that is unreadable in the dark theme',
      '<style>@media (prefers-color-scheme: dark) { p { color: #eee } }</style>',
      /^dark: color-contrast/,
    ],
    ['an element that is too wide', '<div style="width: 500px">wide</div>', /^is \d+ px wide in a window of 320 px$/],
  ])('judges %s', async (_, html, finding) => {
    body = `${GOOD}<div role="region" aria-label="More">${html}</div>`;
    const tester = await browser.visit(host, { mount: '' });
    await tester.open();
    expect(await audit(tester.page, 'harness')).toContainEqual(expect.stringMatching(finding));
    await browser.endOfTest();
  });
});
