import { isIP } from 'node:net';
import { parseConnectionUrl } from 'nodemailer/lib/shared';

/** Whether a connection has TLS: it must, it has where the server offers STARTTLS, or never. */
export const TLS_RULES = ['required', 'optional', 'none'] as const;
export type TlsRule = (typeof TLS_RULES)[number];

type Parsed = ReturnType<typeof parseConnectionUrl>;

/** What an SMTP URL says. */
export interface SmtpUrl {
  auth: Parsed['auth'];
  /** What nodemailer makes of the rest, its query included. */
  rest: Omit<Parsed, 'auth'>;
  /** As it is in the query. */
  tls: string | undefined;
}

/** Asked of `URL` first: nodemailer lets some wrong ones through, and what it throws of others quotes the password. */
export function isSmtpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\s*smtps?:\/\/./i.test(value) || !URL.canParse(value)) return false;
  return Boolean(readSmtpUrl(value).rest.host) && new URL(value).port !== '0';
}

export function readSmtpUrl(url: string): SmtpUrl {
  const at = url.indexOf('?');
  // To nodemailer `tls` is the object that `tls.servername` and the like belong to.
  const plain = at < 0 ? url : url.slice(0, at) + url.slice(at).replace(/([?&])tls=[^&#]*/g, '$1');
  const { auth, ...rest } = parseConnectionUrl(plain);
  const [tls, ...more] = new URL(url).searchParams.getAll('tls');
  return { auth, rest, tls: more.length > 0 ? '' : tls };
}

/** What is wrong with the `tls` of its query. */
export function problemsOfTls({ tls, rest }: SmtpUrl): string[] {
  const known: readonly string[] = TLS_RULES;
  if (tls !== undefined && !known.includes(tls))
    return ['`?tls=` in the URL must be `required`, `optional` or `none`.'];
  return tls !== undefined && tls !== 'required' && rest.secure
    ? [`\`tls=${tls}\` is for \`smtp://\`: with \`smtps://\` a connection begins with TLS.`]
    : [];
}

/** A password needs TLS, except on its way to this machine. */
export function tlsRuleOf({ auth, tls, rest }: SmtpUrl): TlsRule {
  if (tls !== undefined) return tls as TlsRule;
  return auth && !isLoopback(rest) ? 'required' : 'optional';
}

/** Whether its password may be sent without TLS to another machine. */
export function mayRevealPassword(url: SmtpUrl): boolean {
  return Boolean(url.auth) && !url.rest.secure && tlsRuleOf(url) !== 'required' && !isLoopback(url.rest);
}

/** RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3, RFC 6761 section 6.3. */
function isLoopback({ host = '' }: SmtpUrl['rest']): boolean {
  const name = String(host)
    .toLowerCase()
    .replace(/^\[|\]$|\.$/g, '');
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === '::1' || name === 'localhost' || name.endsWith('.localhost');
}
