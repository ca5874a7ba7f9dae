import { buffer } from 'node:stream/consumers';
import { domainToASCII } from 'node:url';
import { SmtpTransport } from 'nestjs-emails';
import type { InboxRelease } from 'nestjs-emails-dashboard';
import type { Inbox } from '../embedded/inbox/inbox.js';

/** Sends messages of the inbox to real recipients, as they are. @param url of the SMTP server */
export function releaserOf(inbox: Inbox, url: string): InboxRelease {
  return async (id, recipients) => {
    const entry = inbox.list().find((kept) => kept.id === id);
    const message = entry && (await inbox.raw(id));
    if (!message) return undefined;
    const raw = await buffer(message.stream);
    const transport = new SmtpTransport({ url });
    try {
      const outcomes = await transport.send({
        from: entry.from,
        recipients: recipients.map(inALabels),
        needsSmtpUtf8: hasOtherThanAscii(raw, [entry.from, ...recipients]),
        raw,
      });
      return outcomes.map(({ address, outcome, reply }) => ({
        address,
        accepted: outcome === 'accepted',
        reply: reply.text,
      }));
    } finally {
      await transport.close();
    }
  };
}

function inALabels(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
}

/** In a local part, or in the header. */
function hasOtherThanAscii(raw: Buffer, addresses: readonly string[]): boolean {
  const end = raw.indexOf('\r\n\r\n');
  const isOther = (text: string) => /\P{ASCII}/u.test(text);
  return (
    isOther(raw.toString('latin1', 0, end < 0 ? raw.length : end)) ||
    addresses.some((address) => isOther(address.slice(0, address.lastIndexOf('@'))))
  );
}
