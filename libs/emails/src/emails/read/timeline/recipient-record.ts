import { parseMailbox } from '../../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../../shared/mailbox/mailbox-syntax-error.js';
import type { EmailEventType } from '../../states/email-states.js';
import { reasonText } from '../../states/reason-codes.js';
import { isKeptBack, isPending, type RecipientState } from '../../states/recipient-state.js';
import type { RecipientsRow } from '../../storage/read/timeline.repository.js';
import type { EmailRecipientDto } from './email-recipient.dto.js';

const FIELDS = ['to', 'cc', 'bcc'] as const;

/** In the order of the envelope. */
export function toRecipientRecords(row: RecipientsRow): EmailRecipientDto[] {
  const fields = fieldsOf(row);
  const tried = new Map(row.tried.map((one) => [one.address, one]));
  const latest = new Map(row.latest.map((one) => [one.address, one]));
  return row.recipients.map((recipient, index) => {
    const { address } = recipient;
    const { attempts = 0, lastAttemptAt = null, endedBy = null } = tried.get(address) ?? {};
    const lost = row.lost.filter(
      ({ fence, message }) => (message === 0 || message === index + 1) && mayHaveTried(recipient, endedBy, fence),
    );
    const event = latest.get(address);
    return {
      address,
      field: fields.get(address) ?? 'to',
      last_event: shownOf(recipient, row.lastEvent),
      attempts: row.forgotten ? null : attempts + lost.length,
      last_attempt_at: latestOf([lastAttemptAt, ...lost.map(({ startedAt }) => startedAt)]),
      next_attempt_at: isPending(recipient) && row.nextAttemptAt ? (row.retries[address] ?? row.nextAttemptAt) : null,
      reason: reasonText(event?.reasonCode, event?.reason, event?.source),
      reason_code: event?.reasonCode ?? null,
    };
  });
}

/** By envelope address. A mailbox that is no longer valid, such as the mark of an erased person, is left out. */
function fieldsOf(row: RecipientsRow): Map<string, (typeof FIELDS)[number]> {
  const fields = new Map<string, (typeof FIELDS)[number]>();
  for (const field of FIELDS) {
    for (const mailbox of row[field]) {
      const address = envelopeOf(mailbox);
      if (!fields.has(address)) fields.set(address, field);
    }
  }
  return fields;
}

function envelopeOf(mailbox: string): string {
  try {
    return parseMailbox(mailbox).envelope;
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return mailbox;
    throw error;
  }
}

/** An attempt without a known end covered all pending recipients. */
function mayHaveTried(recipient: RecipientState, endedBy: number | null, fence: number): boolean {
  return !isKeptBack(recipient) && (endedBy === null || fence < endedBy);
}

function shownOf(recipient: RecipientState, lastEvent: EmailEventType): EmailEventType {
  const { status } = recipient;
  if (isPending(recipient) && lastEvent === 'canceled') return 'canceled';
  if (status === 'pending') return lastEvent === 'scheduled' ? 'scheduled' : 'queued';
  return status === 'refused' ? 'failed' : status;
}

/** These texts sort in the order of their times. */
function latestOf(times: readonly (string | null)[]): string | null {
  return times.reduce((latest, time) => (latest === null || (time !== null && time > latest) ? time : latest), null);
}
