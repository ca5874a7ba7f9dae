import { type BounceKind, UNDETERMINED } from '../../states/bounce.js';
import type { EmailEventType } from '../../states/email-states.js';
import type { FollowedEmail, KeptEvent } from '../../storage/timeline.repository.js';

/** Who brought an event. */
export const EVENT_SOURCES = [
  'api',
  'smtp',
  'dsn',
  'feedback',
  'relay',
  'suppression',
  'policy',
  'topic',
  'unsubscribe',
  'tracking',
] as const;
type EventSource = (typeof EVENT_SOURCES)[number];

/** A bounce (contract, section 3.4). */
export interface BounceRecord extends BounceKind {
  message: string;
  /** What the server said, if it did, with `smtp; ` before it. */
  diagnosticCode: string[];
}

/** An event in the timeline of an email (contract, section 3.4). Every field is always present. */
export interface EmailEventRecord {
  /** As listeners are told it. */
  id: string;
  type: EmailEventType;
  /** The envelope address it is about; null when it is about the whole email. */
  recipient: string | null;
  /** `2026-11-21 05:26:01.123456+00` */
  created_at: string;
  reason: string | null;
  /** Which attempt brought it, from 1; null when none did. */
  attempt: number | null;
  source: EventSource;
  /** Of a bounce; null of all else. */
  bounce: BounceRecord | null;
}

export function toEventRecord(event: KeptEvent, email: Pick<FollowedEmail, 'hasOptOut'>): EmailEventRecord {
  const { id, type, recipient, createdAt, reason, attempt } = event;
  const bounce = type === 'bounced' ? bounceRecord(event) : null;
  return { id, type, recipient, created_at: createdAt, reason, attempt, source: sourceOf(event, email), bounce };
}

const SOURCES: Partial<Record<EmailEventType, EventSource>> = {
  queued: 'api',
  scheduled: 'api',
  canceled: 'api',
  complained: 'feedback',
  opened: 'tracking',
  clicked: 'tracking',
  suppressed: 'suppression',
};

function sourceOf(
  { type, recipient, reason, attempt }: KeptEvent,
  { hasOptOut }: Pick<FollowedEmail, 'hasOptOut'>,
): EventSource {
  if (reason === 'topic_opted_out') return 'topic';
  // Recorded where a list keeps all back. Older rows say it of emails whose topic did, too.
  if (type === 'failed' && recipient === null) return hasOptOut ? 'topic' : 'suppression';
  // A code and no attempt: a policy of the host's.
  if (type === 'failed' && attempt === null && /^[a-z0-9_]+$/.test(reason ?? '')) return 'policy';
  return SOURCES[type] ?? 'smtp';
}

function bounceRecord({ bounce, reason }: Pick<KeptEvent, 'bounce' | 'reason'>): BounceRecord {
  const { type, subType } = bounce ?? UNDETERMINED;
  const said = reason !== null && /^\d{3}\b/.test(reason);
  return { type, subType, message: reason ?? '', diagnosticCode: said ? [`smtp; ${reason}`] : [] };
}
