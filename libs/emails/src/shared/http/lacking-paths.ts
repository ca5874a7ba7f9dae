import { thisServerHasNo } from '../text/this-server-has-no.js';

/**
 * The paths of Resend's API (OpenAPI 1.5.0, and further requests of the official clients) without routes in this
 * package, each with everything below it, and the resource there. A more specific path comes first. Remove a line when
 * its route is built.
 */
const LACKING: readonly (readonly [path: string, what: string])[] = [
  ['/audiences', 'audiences'],
  ['/automations', 'automations'],
  ['/broadcasts', 'broadcasts'],
  ['/contact-properties', 'contact properties to declare'],
  ['/contacts/imports', 'contact imports'],
  ['/contacts/:id/segments', 'segments'],
  ['/domains/claim', 'claims of domains'],
  ['/emails/receiving', 'received emails'],
  ['/events', 'events of automations'],
  ['/inboxes', 'inboxes'],
  ['/logs', 'logs of requests'],
  ['/oauth', 'OAuth grants'],
  ['/segments', 'segments'],
  ['/usage', 'usage figures'],
];

const PATTERNS = LACKING.map(([path, what]) => ({
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}(?:/|$)`, 'i'),
  what,
}));

/**
 * Message of the 404 for a path that Resend's API has and this package does not: "This server has no broadcasts."
 * Undefined for every other path. For a host's own answer to unknown paths.
 *
 * @param url path without a prefix of the host; a query may follow
 *
 * @example
 * ```ts
 * lackingAt('/broadcasts?limit=10'); // 'This server has no broadcasts.'
 * lackingAt('/emails'); // undefined
 * ```
 */
export function lackingAt(url: string): string | undefined {
  const [path = ''] = url.split(/[?#]/, 1);
  const lacking = PATTERNS.find(({ pattern }) => pattern.test(path));
  return lacking && thisServerHasNo(lacking.what);
}

/** Prefixes that have routes of both kinds below them. */
const ROOTS = new Set(
  LACKING.map(([path]) => path.split('/')).flatMap(([, root, ...below]) => (below.length > 0 ? [root] : [])),
);

/**
 * The same for a path that matches a route with a parameter: `/emails/receiving` matches the path of an email.
 *
 * @param route its path, with any prefix of the host
 */
export function lackingWithin(route: string, url: string): string | undefined {
  const root = route.split('/').findLastIndex((part) => ROOTS.has(part));
  return root < 0 ? undefined : lackingAt(`/${url.split('/').slice(root).join('/')}`);
}
