import { addressKey } from '../../shared/mailbox/address-key.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import type { MessageContent } from './message-builder.js';

const TO = 'X-Original-To';
const BCC = 'X-Original-Bcc';

/**
 * An email with the header fields of a redirected message: `X-Original-To` with those of its recipients that are in `to`
 * and `cc`, as in the envelope, and `X-Original-Bcc` with the number of the others. Each is absent where it would be empty.
 *
 * @param recipients envelope addresses of the message
 */
export function withOriginalRecipients<Email extends Pick<MessageContent, 'to' | 'cc' | 'headers'>>(
  email: Email,
  recipients: readonly string[],
): Email {
  const inHeader = new Set([...email.to, ...email.cc].map((mailbox) => addressKey(parseMailbox(mailbox).envelope)));
  const shown = recipients.filter((address) => inHeader.has(addressKey(address)));
  const others = recipients.length - shown.length;
  const headers: [string, string][] = [];
  if (shown.length > 0) headers.push([TO, shown.join(', ')]);
  if (others > 0) headers.push([BCC, `${others} others`]);
  return { ...email, headers: [...email.headers.filter(([name]) => !isOriginalRecipients(name)), ...headers] };
}

/** True for the name of one of the two fields. An email that was accepted before they existed may have them. */
function isOriginalRecipients(name: string): boolean {
  return [TO, BCC].some((own) => own.toLowerCase() === name.toLowerCase());
}
