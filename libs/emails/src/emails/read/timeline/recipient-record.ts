import { parseMailbox } from '../../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../../shared/mailbox/mailbox-syntax-error.js';
import type { EmailEventType } from '../../states/email-states.js';
import { isOwed, type RecipientState } from '../../states/recipient-state.js';
import type { RecipientsRow } from '../../storage/timeline.repository.js';

const FIELDS = ['to', 'cc', 'bcc'] as const;

/** What became of one envelope recipient (contract, section 3.4). Every field is always present. */
export interface EmailRecipientRecord {
  address: string;
  /** Where the address stands, in the first of these. */
  field: (typeof FIELDS)[number];
  last_event: EmailEventType;
  /** Attempts at this recipient that ended; null when retention has deleted them. */
  attempts: number | null;
  /** `2026-11-21 05:26:01.123456+00`, when the last of them began; null when there was none. */
  last_attempt_at: string | null;
  /** When the next one is due; null when there will be none, and while one is under way. */
  next_attempt_at: string | null;
  /** What its last event says. */
  reason: string | null;
}

/** In the order of the envelope. */
export function toRecipientRecords(row: RecipientsRow): EmailRecipientRecord[] {
  const fields = fieldsOf(row);
  const tried = new Map(row.tried.map((one) => [one.address, one]));
  const latest = new Map(row.latest.map((one) => [one.address, one]));
  return row.recipients.map((recipient) => {
    const { address } = recipient;
    const { attempts = 0, lastAttemptAt = null, endedBy = null } = tried.get(address) ?? {};
    const lost = row.lost.filter(({ fence }) => mayHaveTried(recipient, endedBy, fence));
    const event = latest.get(address);
    return {
      address,
      field: fields.get(address) ?? 'to',
      last_event: shownOf(recipient, row.lastEvent, event?.type),
      attempts: row.forgotten ? null : attempts + lost.length,
      last_attempt_at: latestOf([lastAttemptAt, ...lost.map(({ startedAt }) => startedAt)]),
      next_attempt_at: isOwed(recipient) ? row.nextAttemptAt : null,
      reason: event?.reason ?? null,
    };
  });
}

/** By envelope address. A mailbox that is none any more, such as the mark of an erased person, stands nowhere. */
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

/** An attempt whose end nobody saw was at everybody who was left. */
function mayHaveTried({ status }: RecipientState, endedBy: number | null, fence: number): boolean {
  return status !== 'suppressed' && (endedBy === null || fence < endedBy);
}

/** The topic's refusals are recorded as `failed`, and kept as `suppressed`. */
function shownOf(
  recipient: RecipientState,
  lastEvent: EmailEventType,
  recorded: EmailEventType | undefined,
): EmailEventType {
  const { status } = recipient;
  if (isOwed(recipient) && lastEvent === 'canceled') return 'canceled';
  if (status === 'pending') return lastEvent === 'scheduled' ? 'scheduled' : 'queued';
  return status === 'suppressed' && recorded === 'failed' ? 'failed' : status;
}

/** These texts sort as the times that they say. */
function latestOf(times: readonly (string | null)[]): string | null {
  return times.reduce((latest, time) => (latest === null || (time !== null && time > latest) ? time : latest), null);
}
