import { domainOf } from '../../shared/mailbox/domain-of.js';
import { bareAddress } from './bare-address.js';

/** The mailbox of `delivery.redirectAllTo`. */
export interface RedirectMailbox {
  /** For the envelope: domain in A-labels. */
  address: string;
  domain: string;
  /** True if its local part is not ASCII. */
  needsSmtpUtf8: boolean;
}

/** @throws MailboxSyntaxError */
export function redirectMailboxOf(redirectAllTo: string): RedirectMailbox {
  const { envelope: address, needsSmtpUtf8 } = bareAddress(redirectAllTo);
  return { address, domain: domainOf(address), needsSmtpUtf8 };
}
