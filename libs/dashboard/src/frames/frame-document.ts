import type { ServerResponse } from 'node:http';

/**
 * What a stranger's html may do in its frame: it has no origin, runs and sends nothing, navigates nothing, and loads nothing,
 * but for images when the reader has asked for them. Its links open elsewhere. It holds as well when the address is opened by
 * itself. Tried with about two dozen kinds of remote references.
 */
export function framePolicy(withImages: boolean): string {
  return [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${withImages ? ' http: https:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/** Answers with somebody's html, for a frame of the page. A second doctype in it is passed over. */
export function answerFrame(response: ServerResponse, html: string, withImages = false): void {
  const bytes = Buffer.from(`<!doctype html><meta charset="utf-8"><base target="_blank">${html}`);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-length', bytes.length);
  response.setHeader('content-security-policy', framePolicy(withImages));
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-robots-tag', 'noindex');
  response.end(bytes);
}

/** A text as the html that shows it. */
export function asHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<pre style="font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere">${escaped}</pre>`;
}
