import { createHash } from 'node:crypto';
import { addressKey } from '../../shared/mailbox/address-key.js';

/** Domains whose mailboxes ignore dots, each the same mailbox (support.google.com/mail/answer/7436150, read 2026-11-27). */
const WITHOUT_DOTS: readonly string[] = ['gmail.com', 'googlemail.com'];

/**
 * SHA-256 of the mailbox of an address, in hex. One mailbox has many addresses: a detail after `+` leads to the same one (RFC
 * 5233), and so do dots at Gmail.
 */
export function mailboxHash(address: string): string {
  const key = addressKey(address);
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  const user = key.slice(0, at).replace(/(?<=.)\+.*$/s, '');
  const mailbox = WITHOUT_DOTS.includes(domain) ? `${user.replaceAll('.', '')}@gmail.com` : `${user}@${domain}`;
  return createHash('sha256').update(mailbox).digest('hex');
}
