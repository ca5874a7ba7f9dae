import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { DAY, parseDuration, parseDurations } from './duration.js';
import type { Variable } from './environment-reader.js';

/**
 * The rule of every API key (RFC 6750, section 2.1). Repeated here, because the package is loaded after the settings
 * are known.
 */
export const TOKEN_PATTERN = /^[A-Za-z0-9._~+/=-]{8,256}$/;

/** Long enough to be unguessable. Also applies to the one in `DATA_DIR`. */
export const SECRET_KEY_PATTERN = /^[!-+\--~]{32,256}$/;

const DURATION = 'a number with the unit ms, s, m, h or d';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

export function oneOf<const T extends string>(values: readonly T[]): Variable<T> {
  return {
    parse: (value) => values.find((known) => known === value),
    expected: `one of ${values.join(', ')}`,
  };
}

export const port: Variable<number> = {
  parse: (value) => (/^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined),
  expected: 'a port from 1 to 65535, or 0 for a free one',
};

export const hostName: Variable<string> = {
  parse: (value) => (isIP(value) !== 0 || HOST_NAME.test(value) ? value : undefined),
  expected: 'an address or a host name without scheme and port, such as 127.0.0.1, :: or localhost',
};

export const databaseUrl: Variable<string> = {
  parse: (value) => url(value, ['postgres:', 'postgresql:'], { hostOptional: true }),
  expected: 'a URL such as postgres://user:password@host:5432/database',
  secret: true,
};

export const redisUrls: Variable<string[]> = {
  parse: (value) => {
    const nodes = value.split(',').map((node) => node.trim());
    // A cluster has no numbered databases.
    const path = nodes.length > 1 ? /^\/?0?$/ : /^(\/\d*)?$/;
    return nodes.every((node) => url(node, ['redis:', 'rediss:'], { path })) ? nodes : undefined;
  },
  expected:
    'a URL such as redis://user:password@host:6379/0, or rediss:// for TLS; for a Redis Cluster, URLs of several nodes ' +
    'with commas between them',
  secret: true,
};

/** The longest timer of Node, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Numbers in the query of `SMTP_URL`, and the largest of each; the smallest is 1. */
const SMTP_NUMBERS: Readonly<Record<string, number>> = {
  maxConnections: 10_000,
  maxPerSecond: 100_000,
  maxPerDay: 1_000_000_000,
  maxMessagesPerConnection: 1_000_000_000,
  idleTimeout: LONGEST_TIMER,
  connectionTimeout: LONGEST_TIMER,
  greetingTimeout: LONGEST_TIMER,
  socketTimeout: LONGEST_TIMER,
  messageTimeout: LONGEST_TIMER,
};

/** True when it has TLS. */
const SMTP_TLS = ['required', 'optional', 'none'];
/** nodemailer's name for it. */
const SMTP_TLS_BEFORE = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'];

export const smtpUrl: Variable<string> = {
  parse: (value) =>
    hasRightNumbers(value) && hasRightTls(value) ? url(value, ['smtp:', 'smtps:'], { path: /^\/?$/ }) : undefined,
  expected:
    'a URL such as smtp://user:password@host:587, or smtps:// for TLS from the first byte; a number in its query, such ' +
    `as ?socketTimeout=60000, must be whole and from 1 to ${LONGEST_TIMER} (maxConnections: 10000, maxPerSecond: 100000), and tls, which says ` +
    'of smtp:// (in place of requireTLS and ignoreTLS) must be required, optional or none',
  secret: true,
};

/** Commas divide URLs, and may also be in a password. */
const NEXT_SMTP_URL = /\s*,\s*(?=smtps?:\/\/)/i;
const MOST_SMTP_URLS = 32;

export const smtpUrls: Variable<string[]> = {
  parse: (value) => {
    const urls = value.split(NEXT_SMTP_URL).map(smtpUrl.parse);
    const found = urls.filter((url) => url !== undefined);
    const places = new Set(found.map((url) => new URL(url).host.toLowerCase()));
    return places.size === urls.length && urls.length <= MOST_SMTP_URLS ? found : undefined;
  },
  expected: `${smtpUrl.expected}; several, with commas between them, must be different servers`,
  secret: true,
};

const HOPS = ['final', 'relay'] as const;

export const hops: Variable<(typeof HOPS)[number][]> = {
  parse: (value) => {
    const given = value.split(',').map((one) => one.trim());
    const found = given.flatMap((one) => HOPS.find((hop) => hop === one) ?? []);
    return found.length === given.length ? found : undefined;
  },
  expected: 'final or relay, for all servers at `SMTP_URL`, or one for each with commas between them',
};

function hasRightNumbers(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { searchParams } = new URL(value);
  return Object.entries(SMTP_NUMBERS).every(([name, largest]) => {
    const given = searchParams.getAll(name);
    return given.length <= 1 && given.every((text) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= largest);
  });
}

function hasRightTls(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { searchParams, protocol } = new URL(value);
  const [tls = 'required', ...more] = searchParams.getAll('tls');
  if (more.length > 0 || !SMTP_TLS.includes(tls) || SMTP_TLS_BEFORE.some((name) => searchParams.has(name)))
    return false;
  return protocol === 'smtp:' || tls === 'required';
}

export const otlpEndpoint: Variable<string> = {
  parse: (value) => url(value, ['http:', 'https:']),
  expected: 'the URL of a collector such as http://127.0.0.1:4318',
  secret: true,
};

export const directory: Variable<string> = {
  parse: (value) => (value.trim() === '' || value.includes('\0') ? undefined : value),
  expected: 'the path of a directory',
};

export const apiKey: Variable<string> = {
  parse: (value) => (TOKEN_PATTERN.test(value) ? value : undefined),
  expected: '8 to 256 characters of letters, digits and . _ ~ + / = -',
  secret: true,
};

export const adminToken: Variable<string> = {
  parse: (value) => (/^[A-Za-z0-9._~+/=-]{24,256}$/.test(value) ? value : undefined),
  expected: '24 to 256 characters of letters, digits and . _ ~ + / = -',
  secret: true,
};

export const secretKeys: Variable<string[]> = {
  parse: (value) => {
    const keys = value.split(',').map((key) => key.trim());
    return keys.every((key) => SECRET_KEY_PATTERN.test(key)) ? keys : undefined;
  },
  expected:
    '32 to 256 printable characters without blanks and commas, such as `openssl rand -base64 32` gives; to change it, the ' +
    'new one, a comma and the old one',
  secret: true,
};

/** An ARN of a topic: partition, region, account, name. */
const SNS_TOPIC = /^arn:aws(-[a-z]+)*:sns:[a-z]{2}(-[a-z]+){1,3}-\d{1,2}:\d{12}:[\w-]{1,256}$/;

export const snsTopics: Variable<string[]> = {
  parse: (value) => {
    const topics = value.split(',').map((topic) => topic.trim());
    return topics.every((topic) => SNS_TOPIC.test(topic)) ? topics : undefined;
  },
  expected: 'one or more ARNs such as arn:aws:sns:eu-west-1:123456789012:feedback, with commas between them',
};

export const basicAuth: Variable<string> = {
  parse: (value) => (/^[!-9;-~]+:[!-~]+$/.test(value) && value.length >= 16 ? value : undefined),
  expected: 'user:password, of 16 printable characters or more, without blanks',
  secret: true,
};

export const mailgunKey: Variable<string> = {
  parse: (value) => (/^[!-~]{16,256}$/.test(value) ? value : undefined),
  expected: '16 printable characters or more, without blanks, as Mailgun shows them',
  secret: true,
};

export const sendgridKey: Variable<string> = {
  parse: (value) => (isCurveKey(value) ? value : undefined),
  expected: 'the public key that SendGrid shows: base64 that begins with MFkw',
  // Its place may hold an API key by mistake.
  secret: true,
};

function isCurveKey(value: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}

export const blocks: Variable<string[]> = {
  parse: (value) => {
    const blocks = value.split(',').map((block) => block.trim());
    return blocks.every(isBlock) ? blocks : undefined;
  },
  expected: 'one or more blocks of addresses such as 10.0.0.0/8 or fd00::/8, with commas between them',
};

/** CIDR notation (RFC 4632, RFC 4291 section 2.3). */
function isBlock(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return text.split('/').length === 2 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}

export const publicUrl: Variable<string> = {
  // As in the package: nothing in it needs quoting, wherever it is written.
  parse: (value) =>
    /^https?:\/\/([a-z0-9.-]+|\[[\da-f:.]+\])(:\d+)?(\/[\w.~/-]*)?$/i.test(value)
      ? url(value, ['http:', 'https:'])
      : undefined,
  expected: 'a URL such as https://mail.example.com, without credentials, query and fragment',
  secret: true,
};

export const domain: Variable<string> = {
  parse: (value) =>
    isIP(value) === 0 && value.includes('.') && HOST_NAME.test(value) ? value.toLowerCase() : undefined,
  expected: 'a domain such as bounces.example.com',
};

const ADDRESS = /^[^\s@<>,]+@[^\s@<>,]+$/;

export const recipient: Variable<string> = {
  parse: (value) => (isRecipient(value) ? value : undefined),
  expected: 'an address without a name, such as me@example.net',
};

/** Letters of any script, without quotes (RFC 5322 section 3.2.3, RFC 6531). */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~\u00a1-\uffff-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u00a1-\uffff-]+)*$/;

function isRecipient(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@');
  return more.length === 0 && local.length <= 64 && LOCAL_PART.test(local) && isRecipientDomain(domain);
}

/** True for a domain, its letters of any script. */
function isRecipientDomain(text: string): boolean {
  const name = domainToASCII(text);
  return /^[\w.\u00a1-\uffff-]+$/.test(text) && HOST_NAME.test(name) && isIP(name) === 0;
}

export const address: Variable<string> = {
  parse: (value) => (ADDRESS.test(value) ? value : undefined),
  expected: 'an address such as alarms@example.com',
};

/** Its path and its query may be secret. */
export const alarmUrl: Variable<string> = {
  parse: (value) =>
    URL.canParse(value) && new URL(value).username === '' ? url(value, ['http:', 'https:']) : undefined,
  expected: 'a URL such as https://ops.example.com/alarms, without user and password',
  secret: true,
};

/** At least 24 bytes (Standard Webhooks). */
export const signingSecret: Variable<string> = {
  parse: (value) =>
    /^whsec_(?:[A-Za-z0-9+/]{4}){8,32}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value) ? value : undefined,
  expected: '`whsec_` and 24 bytes or more in base64, as `echo whsec_$(openssl rand -base64 32)` gives',
  secret: true,
};

export const addresses: Variable<string[]> = {
  parse: (value) => listOf(value, ADDRESS),
  expected: 'one or more addresses such as fbl@example.com, with commas between them',
};

/** As in the package, which is loaded after the settings are known. */
export const recipients: Variable<string[]> = {
  parse: (value) => {
    const entries = value.split(',').map((entry) => entry.trim());
    return entries.every((entry) => isRecipient(entry) || isRecipientDomain(entry)) ? entries : undefined;
  },
  expected: 'addresses and domains such as me@example.net or example.org, with commas between them',
};

export const domains: Variable<string[]> = {
  parse: (value) => listOf(value.toLowerCase(), HOST_NAME),
  expected: 'one or more domains such as provider.example, with commas between them',
};

/** RFC 7208 section 5, without `all`, `ptr` and qualifiers. */
const SPF_MECHANISM =
  /^((include|exists):[\w.%{}-]+|(a|mx)(:[\w.-]+)?(\/\d{1,2})?(\/\/\d{1,3})?|ip4:[\d.]+(\/\d{1,2})?|ip6:[\da-f:.]+(\/\d{1,3})?)$/i;

export const feedbackId: Variable<string> = {
  parse: (value) => (/^[\w-]{5,15}$/.test(value) ? value : undefined),
  expected: '5 to 15 letters, digits, `_` and `-`',
};

export const spfMechanisms: Variable<string[]> = {
  parse: (value) => {
    const mechanisms = value.split(/[\s,]+/).filter((one) => one !== '');
    return mechanisms.length > 0 && mechanisms.every((one) => SPF_MECHANISM.test(one)) ? mechanisms : undefined;
  },
  expected: 'one or more SPF mechanisms such as include:spf.example.com or ip4:192.0.2.1, with blanks between them',
};

export const dnsServers: Variable<string[]> = {
  parse: (value) => {
    const servers = value.split(',').map((server) => server.trim());
    return servers.every(isDnsServer) ? servers : undefined;
  },
  expected: 'one or more addresses such as 192.0.2.53, 127.0.0.1:5353 or [2001:db8::53]:53, with commas between them',
};

function isDnsServer(server: string): boolean {
  if (isIP(server) > 0) return true;
  const [, ipv6, ipv4, number] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(server) ?? [];
  return isIP(ipv6 ?? ipv4 ?? '') === (ipv6 === undefined ? 4 : 6) && Number(number) > 0 && Number(number) < 65_536;
}

function listOf(value: string, form: RegExp): string[] | undefined {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.every((entry) => form.test(entry)) ? entries : undefined;
}

export const mountPath: Variable<string> = {
  parse: (value) => (value === 'off' || /^(\/[\w-]+)+$/.test(value) ? value : undefined),
  expected: 'a path such as /dashboard, of letters, digits, - and _, or off',
};

export const shards: Variable<number> = {
  parse: (value) => (/^([1-9]|[1-5]\d|6[0-4])$/.test(value) ? Number(value) : undefined),
  expected: 'a whole number from 1 to 64',
};

export const positiveWhole: Variable<number> = {
  parse: (value) => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined),
  expected: 'a whole number from 1 to 999999999, or unset',
};

export const trueOrFalse: Variable<boolean> = {
  parse: (value) => ({ true: true, false: false })[value],
  expected: 'true or false',
};

export const delay: Variable<number> = {
  parse: (value) => parseDuration(value),
  expected: `${DURATION}, such as 3s, up to 24d`,
};

export const interval: Variable<number> = {
  parse: (value) => parseDuration(value, DAY),
  expected: `${DURATION}, such as 3s, up to 1d`,
};

export const age: Variable<number> = {
  parse: (value) => parseDuration(value, 36_500 * DAY),
  expected: `${DURATION}, such as 90d, up to 36500d, or unset to keep everything`,
};

export const durations: Variable<number[]> = {
  parse: parseDurations,
  expected: `delays with commas between them, each ${DURATION} and up to 24d, such as 1m,5m,15m`,
};

function url(
  value: string,
  protocols: readonly string[],
  { hostOptional = false, path = /^/ }: { hostOptional?: boolean; path?: RegExp } = {},
): string | undefined {
  if (!URL.canParse(value)) {
    return undefined;
  }
  const { protocol, hostname, pathname, port } = new URL(value);
  const isOne = protocols.includes(protocol) && (hostOptional || hostname !== '') && path.test(pathname);
  return isOne && port !== '0' ? value : undefined;
}
