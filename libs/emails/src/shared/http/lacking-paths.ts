import { thisServerHasNo } from '../text/this-server-has-no.js';

/**
 * The paths of Resend's API (OpenAPI 1.5.0, and what the official clients ask besides) that this package has no routes for,
 * each with everything below it, and what is found there. A path that comes first is the more special one. Whoever builds a
 * route takes its line out.
 */
const LACKING: readonly (readonly [path: string, what: string])[] = [
  ['/audiences', 'audiences'],
  ['/automations', 'automations'],
  ['/broadcasts', 'broadcasts'],
  ['/contact-properties', 'contact properties to declare'],
  ['/contacts/imports', 'contact imports'],
  ['/contacts/:id/segments', 'segments'],
  ['/domains', 'domains'],
  ['/emails/receiving', 'received emails'],
  ['/events', 'events of automations'],
  ['/inboxes', 'inboxes'],
  ['/logs', 'logs of requests'],
  ['/oauth', 'OAuth grants'],
  ['/segments', 'segments'],
  ['/suppressions', 'suppressions'],
  ['/usage', 'usage figures'],
];

const PATTERNS = LACKING.map(([path, what]) => ({
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}(?:/|$)`, 'i'),
  what,
}));

/**
 * What the 404 of a path says that Resend's API has and this package has not: "This server has no broadcasts." Undefined for
 * every other path. For a host's own answer to paths that it does not know.
 *
 * @param url path as the routes of the package see it, without a prefix of the host; a query may follow
 */
export function lackingAt(url: string): string | undefined {
  const [path = ''] = url.split(/[?#]/, 1);
  const lacking = PATTERNS.find(({ pattern }) => pattern.test(path));
  return lacking && thisServerHasNo(lacking.what);
}

/** What a path begins with below which there is something of both. */
const ROOTS = new Set(
  LACKING.map(([path]) => path.split('/')).flatMap(([, root, ...below]) => (below.length > 0 ? [root] : [])),
);

/**
 * The same for a path that a route with a parameter answers to, as `/emails/receiving` may be taken for an email.
 *
 * @param route its path, below whatever prefix of the host
 */
export function lackingWithin(route: string, url: string): string | undefined {
  const root = route.split('/').findLastIndex((part) => ROOTS.has(part));
  return root < 0 ? undefined : lackingAt(`/${url.split('/').slice(root).join('/')}`);
}
