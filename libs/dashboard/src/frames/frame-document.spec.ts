import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { answerFrame, asHtml, framePolicy } from './frame-document.js';

function framed(html: string) {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  void answerFrame(response, [html]);
  return response.getHeaders();
}

/** Values of a policy by name. */
const directivesOf = (policy: string) =>
  Object.fromEntries(policy.split('; ').map((directive) => [directive.split(' ')[0], directive]));

describe('framePolicy', () => {
  it('gives html no origin, no scripts and no forms, and confines it to its frame', () => {
    for (const withImages of [false, true]) {
      expect(directivesOf(framePolicy(withImages))).toMatchObject({
        sandbox: 'sandbox allow-popups allow-popups-to-escape-sandbox',
        'default-src': "default-src 'none'",
        'style-src': "style-src 'unsafe-inline'",
        'base-uri': "base-uri 'none'",
        'form-action': "form-action 'none'",
        'frame-ancestors': "frame-ancestors 'self'",
      });
    }
  });

  it('loads remote images on request, and nothing else', () => {
    expect(directivesOf(framePolicy(false))['img-src']).toBe('img-src data:');
    expect(directivesOf(framePolicy(true))).toEqual({
      ...directivesOf(framePolicy(false)),
      'img-src': 'img-src data: http: https:',
    });
  });
});

describe('answerFrame', () => {
  it('has its confining headers, regardless of those of the host', () => {
    expect(framed('<p>ü')).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': framePolicy(false),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
  });
});

describe('a dark frame', () => {
  const startOf = async (isDark: boolean) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const written: string[] = [];
    response.write = ((chunk: Buffer | string, ...rest: unknown[]) => {
      written.push(String(chunk));
      const done = rest.findLast((one) => typeof one === 'function') as (() => void) | undefined;
      done?.();
      return true;
    }) as typeof response.write;
    void answerFrame(response, ['<p>'], { isDark });
    while (written.length === 0) await new Promise(setImmediate);
    return { start: written[0], policy: response.getHeader('content-security-policy') };
  };

  it('declares its colours before the html, under the same policy', async () => {
    expect(await startOf(true)).toEqual({
      start: expect.stringMatching(/^<!doctype html>.*<meta name="color-scheme" content="dark">$/),
      policy: framePolicy(false),
    });
    expect((await startOf(false)).start).not.toContain('color-scheme');
  });
});

describe('asHtml', () => {
  it('shows markup as text', () => {
    expect([...asHtml('<script>&amp;')].join('')).toMatch(/>&lt;script&gt;&amp;amp;<\/pre>$/);
  });
});
