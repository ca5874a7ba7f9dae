import type { ServerResponse } from 'node:http';

/**
 * On every answer to a link, whatever it is: nobody keeps it, finds it or learns where it was, and what a browser is led to
 * runs and loads nothing and has no origin, least of all ours.
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
