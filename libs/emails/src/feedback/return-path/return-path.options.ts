import { toAsciiDomain } from '../../shared/mailbox/domain.js';
import { flag, oneOf, type Rule, type Rules } from '../../shared/options/rules.js';
import { RELAY_FIELDS, type RelayName } from './relay-headers.js';

/** Options of the return path. */
export interface ReturnPathOptions {
  /**
   * Domain of the return path: reports on delivery go to `b+TOKEN@` this domain, whose MX is the listener or forwards to
   * it. Needs `secretKeys`. Default: reports go to the address in `from`.
   */
  bounceDomain?: string;

  /**
   * The relay behind the transport, if it replaces the return path: its field with the email's id is added to each
   * message. A transport whose `kind` is one of these names needs no option. Default: none.
   */
  relay?: RelayName;

  /**
   * True requests a report of each delivery too, which turns `sent` into `delivered`. For a relay with `DSN` (RFC 3461),
   * and with `bounceDomain`. It doubles the mail that comes in. Default: false.
   */
  confirmDelivery?: boolean;
}

/** The longest domain that leaves room for `b+TOKEN@` in 254 octets (RFC 5321 section 4.5.3.1.3). */
const LONGEST = 204;

/** True for a domain whose address of a token has at most 254 octets. */
export function isShortEnough(domain: string): boolean {
  return domain.length <= LONGEST;
}

const domain: Rule = (path, value) => {
  try {
    if (typeof value === 'string' && isShortEnough(value) && toAsciiDomain(value) === value) return [];
  } catch {
    // Said below.
  }
  return [`\`${path}\` must be a domain in lower-case A-labels, such as \`bounces.example.com\`.`];
};

export const RETURN_PATH_RULES: Rules<ReturnPathOptions> = {
  bounceDomain: domain,
  relay: oneOf(...Object.keys(RELAY_FIELDS)),
  confirmDelivery: flag,
};
