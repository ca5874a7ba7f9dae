import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PAGE_POLICY, PagePart } from './page.part.js';

const file = (type: string, text: string) => ({ type, content: Buffer.from(text), compressed: undefined });
const part = new PagePart(
  '/mail',
  new Map([
    ['index.html', file('text/html; charset=utf-8', '<head></head>')],
    ['assets/a-1234.js', file('text/javascript; charset=utf-8', 'a')],
    ['icon.svg', file('image/svg+xml', '<svg/>')],
  ]),
);

function asked(path: string) {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  part.handle({ request, response, method: 'GET', path, query: new URLSearchParams() });
  return response.getHeaders();
}

describe('PagePart', () => {
  it('lets the page load from this server alone, and forbids frames around it', () => {
    const directives = PAGE_POLICY.split('; ');
    expect(directives).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(PAGE_POLICY).not.toMatch(/unsafe|https?:|\*/);
    for (const path of ['', 'emails/x', 'index.html']) {
      expect(asked(path)).toMatchObject({ 'content-security-policy': PAGE_POLICY });
    }
  });

  it('is not cached, except files with a hash in the name', () => {
    for (const path of ['', 'emails/x', 'index.html', 'icon.svg']) {
      expect(asked(path)).toMatchObject({ 'cache-control': 'no-store' });
    }
    expect(asked('assets/a-1234.js')).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' });
    expect(() => asked('assets/b.js')).toThrow('no such file');
  });

  it('has its declared type, and is closed to other origins', () => {
    for (const path of ['', 'assets/a-1234.js', 'icon.svg']) {
      expect(asked(path)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
    }
  });
});
