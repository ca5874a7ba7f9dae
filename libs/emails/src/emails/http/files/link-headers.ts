import type { ServerResponse } from 'node:http';

/**
 * Headers of every answer to a link: no cache keeps it, no search engine finds it, no other site learns its address. A
 * page that the browser opens runs and loads nothing, and has no origin, in particular not ours.
 */
const LINK_HEADERS = {
  'cache-control': 'no-store, no-transform',
  'content-security-policy': "sandbox; default-src 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

export function setLinkHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(LINK_HEADERS)) response.setHeader(name, value);
}
