import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { SmtpCredentials } from './auth-mechanisms.js';

/** Whether a connection uses TLS: always, if the server offers STARTTLS, or never. */
export const TLS_RULES = ['required', 'optional', 'none'] as const;
export type TlsRule = (typeof TLS_RULES)[number];

/** The parts of an SMTP URL. */
export interface SmtpUrl {
  auth: SmtpCredentials | undefined;
  where: Where;
  /** The parameters of the query, except `tls`. */
  query: Record<string, unknown>;
  /** The value in the query. */
  tls: string | undefined;
}

interface Where {
  /** True if a connection begins with TLS. */
  secure: boolean;
  host: string;
  port?: number;
}

export function isSmtpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\s*smtps?:\/\/./i.test(value) || !URL.canParse(value)) return false;
  const { where } = readSmtpUrl(value);
  return where.host !== '' && where.port !== 0 && !hasOtherParts(new URL(value));
}

/**
 * True if it has parts without a meaning here: a path, a fragment, odd names in the query. They may be the rest of a
 * password with an unescaped `/`, `#` or `?`.
 */
function hasOtherParts({ pathname, hash, search, searchParams }: URL): boolean {
  const hasOddName = [...searchParams.keys()].some((name) => !/^[\w.-]+$/.test(name));
  return hasOddName || search.includes('@') || hash !== '' || !['', '/'].includes(pathname);
}

export function readSmtpUrl(url: string): SmtpUrl {
  const { protocol, username, password, hostname, port, searchParams } = new URL(url);
  const secure = protocol === 'smtps:';
  const where: Where = { secure, host: hostOf(hostname), ...(port !== '' && { port: Number(port) }) };
  const auth = username || password ? { user: decoded(username), pass: decoded(password) } : undefined;
  const [tls, ...more] = searchParams.getAll('tls');
  return { auth, where, query: optionsOf(searchParams), tls: more.length > 0 ? '' : tls };
}

/** `tls.…` parameters are collected in a separate object. */
function optionsOf(query: URLSearchParams): Record<string, unknown> {
  const names = [...new Set(query.keys())].filter((name) => name !== 'tls');
  const entries = names.map((name) => {
    const [value, ...more] = query.getAll(name).map(readValue);
    return [name, more.length > 0 ? [value, ...more] : value] as const;
  });
  const isOfTls = ([name]: readonly [string, unknown]) => name.startsWith('tls.');
  const ofTls = entries.filter(isOfTls).map(([name, value]) => [name.slice('tls.'.length), value] as const);
  const others = Object.fromEntries(entries.filter((entry) => !isOfTls(entry)));
  return ofTls.length > 0 ? { ...others, tls: Object.fromEntries(ofTls) } : others;
}

function readValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

/** The name in the form that DNS and sockets need: `URL` maps names of `http:` only. Empty: not a host. */
function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : domainToASCII(decoded(hostname));
}

/** An invalid escape stands for itself, as in passwords with a `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the problems of `tls` in its query. */
export function problemsOfTls({ tls, where }: SmtpUrl): string[] {
  const known: readonly string[] = TLS_RULES;
  if (tls !== undefined && !known.includes(tls))
    return ['`?tls=` in the URL must be `required`, `optional` or `none`.'];
  return tls !== undefined && tls !== 'required' && where.secure
    ? [`\`tls=${tls}\` is for \`smtp://\`: with \`smtps://\` a connection begins with TLS.`]
    : [];
}

/** A password needs TLS, except to this machine. */
export function tlsRuleOf({ auth, tls, where }: SmtpUrl): TlsRule {
  if (tls !== undefined) return tls as TlsRule;
  return auth && !isLoopback(where) ? 'required' : 'optional';
}

/** True if its password may be sent without TLS to another machine. */
export function mayRevealPassword(url: SmtpUrl): boolean {
  return Boolean(url.auth) && !url.where.secure && tlsRuleOf(url) !== 'required' && !isLoopback(url.where);
}

/** RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3, RFC 6761 section 6.3. */
function isLoopback({ host }: Where): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === '::1' || name === 'localhost' || name.endsWith('.localhost');
}
