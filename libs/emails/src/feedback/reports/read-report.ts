import type { ReadReport } from '../listener/report-reader.js';

const ACTIONS: Readonly<Record<string, string>> = { failed: 'bounced', delayed: 'deferred', delivered: 'delivered' };
const COMPLAINTS = ['abuse', 'fraud', 'virus', 'other'];

/** Reads delivery status notifications (RFC 3464) and feedback reports (RFC 5965). */
export async function readReport(message: Uint8Array): Promise<ReadReport[]> {
  const text = Buffer.from(message)
    .toString('latin1')
    .replace(/\r\n/g, '\n')
    .replace(/\n[ \t]+/g, ' ');
  const returned = {
    token: /^X-Email-Ref:[ \t]*(\S+)/im.exec(text)?.[1],
    messageId: [...text.matchAll(/^Message-ID:[ \t]*<([^>\n]+)>/gim)].at(-1)?.[1],
  };
  const feedback = /^Feedback-Type:[ \t]*(\S+)/im.exec(text)?.[1];
  if (feedback !== undefined && COMPLAINTS.includes(feedback.toLowerCase())) {
    return [{ kind: 'complained', recipient: addressIn(text, 'Original-Rcpt-To'), ...returned }];
  }
  return text
    .split(/\n\n+/)
    .filter((block) => /^Final-Recipient:/im.test(block))
    .map((block) => ({
      kind: ACTIONS[/^Action:[ \t]*(\w+)/im.exec(block)?.[1]?.toLowerCase() ?? ''] ?? 'noted',
      recipient: addressIn(block, 'Final-Recipient'),
      originalRecipient: addressIn(block, 'Original-Recipient'),
      status: /^Status:[ \t]*([245]\.\d{1,3}\.\d{1,3})/im.exec(block)?.[1],
      reply: /^Diagnostic-Code:[ \t]*[\w-]+;[ \t]*(.+)/im.exec(block)?.[1]?.trim(),
      ...returned,
    }));
}

function addressIn(text: string, name: string): string | undefined {
  return new RegExp(`^${name}:[ \\t]*(?:[\\w-]+;)?[ \\t]*<?([^>\\s]+)>?`, 'im').exec(text)?.[1];
}
