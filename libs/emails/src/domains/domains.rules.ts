import { isIP } from 'node:net';
import { toAsciiDomain } from '../shared/mailbox/domain.js';
import { both, gotten, isObject, list, oneOf, type Rule, type Rules, secret, text } from '../shared/options/rules.js';
import type { DomainsOptions } from './domains.options.js';
import { SENDING_RULES } from './sending.options.js';

/** Terms of an SPF record that say who may send (RFC 7208 section 5), without `all` and qualifiers. */
const MECHANISM =
  /^(include|exists):[\w.%{}-]+$|^(a|mx)(:[\w.-]+)?(\/\d{1,2})?(\/\/\d{1,3})?$|^ip4:[\d.]+(\/\d{1,2})?$|^ip6:[\da-f:.]+(\/\d{1,3})?$/i;

const host: Rule = both(text, (path, value) => {
  try {
    if (toAsciiDomain(value as string) === value) return [];
  } catch {
    // No host.
  }
  return [`\`${path}\` must be a host name in lower case such as mx.example.com, without a final dot.`];
});

const mechanism: Rule = both(text, (path, value) =>
  MECHANISM.test(value as string)
    ? []
    : [`\`${path}\` must be an SPF mechanism such as include:spf.example.com or ip4:192.0.2.1.`],
);

/** An address, or one with a port: `192.0.2.1:53`, `[2001:db8::1]:53`. */
const server: Rule = both(text, (path, value) =>
  isServer(value as string)
    ? []
    : [`\`${path}\` must be an IP address such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53.`],
);

function isServer(given: string): boolean {
  if (isIP(given) > 0) return true;
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(given) ?? [];
  return isIP(ipv6 ?? ipv4 ?? '') === (ipv6 === undefined ? 4 : 6) && Number(port) > 0 && Number(port) < 65_536;
}

const signingKey: Rule = (path, value) =>
  isObject(value) && typeof value.selector === 'string' && isObject(value.key)
    ? []
    : [`\`${path}\` must be a key with its selector (got ${gotten(value)}).`];

const filled =
  (rule: Rule): Rule =>
  (path, value) =>
    Array.isArray(value) && value.length === 0 ? [`\`${path}\` must have one entry at least.`] : rule(path, value);

export const DOMAINS_RULES: Rules<DomainsOptions> = {
  secretKeys: list(secret),
  bounceHost: host,
  spfMechanisms: filled(list(mechanism)),
  dkim: oneOf('relay'),
  dnsServers: filled(list(server)),
  developmentKey: signingKey,
  ...SENDING_RULES,
};

/** @throws Error for options that do not fit each other */
export function checkTogether({ bounceHost, spfMechanisms, dkim }: DomainsOptions): void {
  const problem =
    bounceHost !== undefined && !spfMechanisms
      ? '`spfMechanisms` is missing: with `bounceHost` it says which servers send, such as `["include:spf.example.com"]`.'
      : bounceHost === undefined && spfMechanisms
        ? '`bounceHost` is missing: `spfMechanisms` is for the return paths that lead to it.'
        : bounceHost !== undefined && dkim === 'relay'
          ? '`bounceHost` must be left out with `dkim: "relay"`: a relay that signs has its own return path.'
          : undefined;
  if (problem !== undefined) throw new Error(`Feature domains: ${problem}`);
}
