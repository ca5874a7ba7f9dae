import { addressKey } from '../../shared/mailbox/address-key.js';
import { toAsciiDomain } from '../../shared/mailbox/domain.js';
import { bareAddress } from './bare-address.js';

/**
 * The key of an entry of `onlyTo`: `addressKey` of an address, which has an `@`, or a domain in lower-case A-labels.
 *
 * @throws MailboxSyntaxError for any other text
 */
export function allowedOf(entry: string): string {
  return entry.includes('@') ? addressKey(bareAddress(entry).envelope) : toAsciiDomain(entry);
}
