import { UNDETERMINED } from '../../../shared/replies/bounce.js';
import type { RecordedEventType } from '../../states/email-states.js';
import { reasonText } from '../../states/reason-codes.js';
import type { KeptEvent } from '../../storage/read/timeline.repository.js';
import type { BounceDto } from './bounce.dto.js';
import type { EmailEventDto } from './email-event.dto.js';
import type { EventSource } from './event-sources.js';

export function toEventRecord(event: KeptEvent): EmailEventDto {
  const { id, type, recipient, createdAt, reasonCode, attempt, transport } = event;
  const reason = reasonText(reasonCode, event.reason, event.source);
  const bounce = type === 'bounced' ? bounceRecord(event) : null;
  const source = sourceOf(event);
  const why = { reason, reason_code: reasonCode, attempt, transport };
  return { id, type, recipient, created_at: createdAt, ...why, source, bounce };
}

const SOURCES: Partial<Record<RecordedEventType, EventSource>> = {
  queued: 'api',
  scheduled: 'api',
  canceled: 'api',
  complained: 'feedback',
  opened: 'tracking',
  clicked: 'tracking',
  suppressed: 'suppression',
};

function sourceOf({ type, reason, reasonCode, source }: KeptEvent): EventSource {
  if (source !== null) return source;
  if (reasonCode === 'topic_opted_out') return 'topic';
  // A policy's code also serves as its text.
  if (type === 'failed' && reasonCode !== null && reason === reasonCode) return 'policy';
  return SOURCES[type] ?? 'smtp';
}

function bounceRecord({ bounce, reason }: Pick<KeptEvent, 'bounce' | 'reason'>): BounceDto {
  const { type, subType } = bounce ?? UNDETERMINED;
  const isReply = reason !== null && /^\d{3}\b/.test(reason);
  return { type, subType, message: reason ?? '', diagnosticCode: isReply ? [`smtp; ${reason}`] : [] };
}
