import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { LONGEST_TIMER, milliseconds, whole } from '../../../shared/options/number-rules.js';
import {
  gotten,
  isObject,
  oneOf,
  problemsOf,
  type Rule,
  type Rules,
  refuse,
  required,
} from '../../../shared/options/rules.js';
import { AUTH_MECHANISMS, type AuthMethod, type SmtpCredentials } from './auth-mechanisms.js';
import { hostLookup } from './host-lookup.js';
import type { SmtpPoolOptions } from './smtp-connection-pool.js';
import type { SmtpConnectionOptions } from './smtp-greeting.js';
import { isSmtpUrl, mayRevealPassword, problemsOfTls, readSmtpUrl, type SmtpUrl, tlsRuleOf } from './smtp-url.js';

/** Durations are in milliseconds. */
export interface SmtpTransportOptions {
  /**
   * `smtp://user:pass@host:port` or `smtps://…` (TLS from the start). Its query may contain the numbers below, `name`,
   * `authMethod`, `localAddress` and `tls.…`: `?socketTimeout=60000&tls.servername=mx.example`. A number or name given here
   * wins; `auth` and `tls` may be given here or in the URL, not in both. In a user or password `/`, `?`, `#` and `@` are
   * escaped (`%2F`, `%3F`, `%23`, `%40`).
   *
   * `?tls=` sets whether an `smtp://` connection uses TLS: `required` (the default with a login, except to loopback
   * addresses), `optional` (by STARTTLS when the server offers it, else in clear, the login too: then the start warns)
   * or `none`.
   */
  url: string;
  /** Login with a password, or with an OAuth 2.0 access token from a function. Default: the URL's user and password. */
  auth?: SmtpCredentials;
  /**
   * Login mechanism. Default: the first one that the server offers and that fits: `PLAIN`, `LOGIN`; `XOAUTH2` with a
   * token.
   */
  authMethod?: AuthMethod;
  /** Whether the server is the recipients' own (`final`) or passes mail on (`relay`). Default: `relay`. */
  hop?: 'final' | 'relay';
  /**
   * Limit of open connections for mail, lowered for a relay that reports overload. A few more ask a relay that is down whether it is
   * back. Default: 20.
   */
  maxConnections?: number;
  /** Messages sent over one connection before a new one is opened. Default: 100. */
  maxMessagesPerConnection?: number;
  /** Time after which an unused connection is closed. Default: 10,000. */
  idleTimeout?: number;
  /** Time limit for opening a connection. Default: 30,000. */
  connectionTimeout?: number;
  /** Time limit for the greeting. Default: 5 minutes (RFC 5321 section 4.5.3.2.1). */
  greetingTimeout?: number;
  /**
   * Time limit for a whole reply, and for progress in sending. Default: 10 minutes (RFC 5321 section 4.5.3.2.6, the
   * longest of them).
   */
  socketTimeout?: number;
  /** Time limit for a message, with all its replies and its content. Default: 1 hour. */
  messageTimeout?: number;
  /** Name in EHLO. Default: this machine's host name. */
  name?: string;
  /** Source address of connections. Default: the system's choice. */
  localAddress?: string;
  /** Options of Node's `tls.connect`, such as `ca` and `servername`. */
  tls?: ConnectionOptions;
}

/** Settings made from the options. */
export interface SmtpSettings {
  hop: 'final' | 'relay';
  /** Host and port. */
  nextHop: string;
  connection: SmtpConnectionOptions;
  pool: SmtpPoolOptions;
  /** True if the login may be sent without TLS to another machine. */
  mayRevealLogin: boolean;
}

const URL_EXAMPLE = '`smtp://user:password@host:587`, or `smtps://…` for TLS from the start';
const URL_ESCAPES = 'without path and fragment; `/`, `?`, `#` and `@` in a password are `%2F`, `%3F`, `%23` and `%40`';

const url: Rule = (path, value) =>
  isSmtpUrl(value)
    ? []
    : [
        `\`${path}\` must be like ${URL_EXAMPLE}, ${URL_ESCAPES} ` +
          `(got ${typeof value === 'string' ? 'another text' : gotten(value)}).`,
      ];

const auth: Rule = (path, value) => {
  const { user, pass, accessToken, ...others } = isObject(value) ? value : {};
  const hasProof = accessToken === undefined ? isSecret(pass) : pass === undefined && typeof accessToken === 'function';
  if (isSecret(user) && hasProof && Object.keys(others).length === 0) return [];
  return [`\`${path}\` must be \`{ user, pass }\` or \`{ user, accessToken }\`, with texts and a function.`];
};

/** No mechanism can send an empty text, or one with a NUL. */
const isSecret = (value: unknown) => typeof value === 'string' && value !== '' && !value.includes('\0');

const oneWord: Rule = (path, value) =>
  typeof value === 'string' && /^[^\s\p{Cc}]+$/u.test(value)
    ? []
    : [`\`${path}\` must be a host name (got ${gotten(value)}).`];

const address: Rule = (path, value) =>
  typeof value === 'string' && isIP(value) ? [] : [`\`${path}\` must be an IP address (got ${gotten(value)}).`];

const RULES: Rules<SmtpTransportOptions> = {
  url: required(url, `it is the server that takes the mail: ${URL_EXAMPLE}`),
  auth,
  authMethod: oneOf(...AUTH_MECHANISMS.map(({ name }) => name)),
  hop: oneOf('final', 'relay'),
  maxConnections: whole(1, 10_000),
  maxMessagesPerConnection: whole(1, 1_000_000_000),
  idleTimeout: milliseconds(1, LONGEST_TIMER),
  connectionTimeout: milliseconds(1, LONGEST_TIMER),
  greetingTimeout: milliseconds(1, LONGEST_TIMER),
  socketTimeout: milliseconds(1, LONGEST_TIMER),
  messageTimeout: milliseconds(1, LONGEST_TIMER),
  name: oneWord,
  localAddress: address,
  tls: (path, value) => (isObject(value) ? [] : [`\`${path}\` must be an object (got ${gotten(value)}).`]),
};

/** Names of the same options in other libraries. */
const SET_BY_TLS = new Map([
  ['requireTLS', 'is set by `tls=required` in the URL'],
  ['ignoreTLS', 'is set by `tls=none` in the URL'],
  ['opportunisticTLS', 'is set by `tls=optional` in the URL'],
]);

const NOWHERE: SmtpUrl = { auth: undefined, where: { secure: false, host: '' }, query: {}, tls: undefined };

/** @throws Error that names every wrong option, here or in the URL, and the right values */
export function readSmtpOptions(options: SmtpTransportOptions): SmtpSettings {
  if (options !== undefined && !isObject(options))
    throw new Error(`SmtpTransport needs an object: \`{ url }\`, ${URL_EXAMPLE}.`);
  const given = withoutAbsent(options);
  const said = isSmtpUrl(given.url) ? readSmtpUrl(given.url) : NOWHERE;
  const { secure, host, port } = said.where;
  const all = { ...said.query, ...given };
  const read = { ...said, auth: given.auth ?? said.auth };
  const problems = [
    ...problemsOf(RULES, all, '', (name) => SET_BY_TLS.get(name)),
    ...problemsOfTls(read),
    ...problemsOfBoth(said, given),
  ];
  refuse('SmtpTransport', problems.length > 0 ? problems : problemsOfLogin(read, all));
  const hop = all.hop ?? 'relay';
  const most = all.maxConnections ?? 20;
  return {
    hop,
    nextHop: port === undefined ? host : `${host}:${port}`,
    connection: {
      host,
      port: port ?? (secure ? 465 : 587),
      secure,
      tlsRule: tlsRuleOf(read),
      tls: all.tls,
      lookup: hostLookup(all.localAddress),
      localAddress: all.localAddress,
      name: all.name ?? ownName(),
      auth: read.auth,
      authMethod: all.authMethod,
      connectionTimeout: all.connectionTimeout ?? 30_000,
      greetingTimeout: all.greetingTimeout ?? 300_000,
      socketTimeout: all.socketTimeout ?? 600_000,
      messageTimeout: all.messageTimeout ?? 3_600_000,
    },
    pool: {
      connections: { least: hop === 'relay' ? 1 : most, most },
      maxMessages: all.maxMessagesPerConnection ?? 100,
      idleTimeout: all.idleTimeout ?? 10_000,
    },
    mayRevealLogin: mayRevealPassword(read),
  };
}

/** Returns problems of parts of the URL that options would replace without a word. */
function problemsOfBoth({ auth, query }: SmtpUrl, given: SmtpTransportOptions): string[] {
  return [
    ...(query.url === undefined ? [] : ['`url` is no option in the query of the URL.']),
    ...(auth && given.auth ? ['`auth` and a login in the URL exclude each other.'] : []),
    ...(query.tls && given.tls ? ['`tls` and `tls.…` in the URL exclude each other.'] : []),
  ];
}

/** Returns problems of the URL's login, or of its mechanism. */
function problemsOfLogin(read: SmtpUrl, { authMethod }: SmtpTransportOptions): string[] {
  if (read.auth && auth('auth', read.auth).length > 0) return ['`url` must have a user and a password, or neither.'];
  const fits = AUTH_MECHANISMS.some(({ name, proof }) => name === authMethod && read.auth && proof in read.auth);
  if (authMethod === undefined || fits) return [];
  return [`\`authMethod\`: \`XOAUTH2\` needs an \`auth\` with \`accessToken\`, the others one with \`pass\`.`];
}

/** RFC 5321 section 4.1.3: an address literal, if the machine has no name with a domain. */
function ownName(): string {
  const name = hostname();
  if (isIP(name) === 4) return `[${name}]`;
  return name.includes('.') ? name : '[127.0.0.1]';
}

/** Removes undefined options. */
function withoutAbsent<T extends object>(options: T | undefined): T {
  const entries = Object.entries(options ?? {});
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null)) as T;
}
