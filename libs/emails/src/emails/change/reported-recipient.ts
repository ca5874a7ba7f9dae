import { addressKey } from '../../shared/mailbox/address-key.js';
import type { BounceKind } from '../../shared/replies/bounce.js';
import { bounceOfReason, isSame, reasonOfBounce } from '../../shared/replies/bounce-reasons.js';
import { judgeReply } from '../../shared/replies/judge-reply.js';
import { storableText } from '../../shared/text/storable-text.js';
import type { ReportedOutcome } from '../ports/reported-outcome.js';
import { afterReport } from '../states/after-report.js';
import { isPending, stateOf } from '../states/recipient-state.js';
import type { ReportedEmail, ReportedEvent, ReportedMove } from '../storage/deliver/change.repository.js';

/** Characters of a reply that are kept. */
const MAX_REPLY = 500;

type Report = Pick<ReportedOutcome, 'recipient' | 'kind' | 'source' | 'code' | 'reply' | 'bounce'>;

/**
 * Derives the change that a report makes to an email: one recipient moves forward. A recipient that the next hop delays
 * stays `sent`, since no worker tries it again; the delay is recorded once.
 */
export function moveOf(email: ReportedEmail, report: Report): ReportedMove | 'unchanged' | 'unknown_recipient' {
  const { recipients, lastEvent, attempts, delayed } = email;
  const key = addressKey(report.recipient);
  const index = recipients.findIndex(({ address }) => addressKey(address) === key);
  const recipient = recipients[index];
  if (!recipient) return 'unknown_recipient';
  if (isPending(recipient) && attempts === 0) return 'unchanged';
  const { address } = recipient;
  const status = afterReport(recipient.status, report.kind) ?? null;
  const isDelayed = report.kind === 'deferred' && recipient.status === 'sent' && !delayed.includes(address);
  if (status === null && !isDelayed) return 'unchanged';
  const after = status === null ? recipients : recipients.with(index, { address, status });
  return {
    place: index,
    status,
    // A canceled email stays canceled: an erasure may have ended one that was sent to another recipient.
    lastEvent: lastEvent === 'canceled' ? lastEvent : stateOf(after),
    isPending: after.some(isPending),
    event: eventOf(report, address, status ?? 'delivery_delayed'),
  };
}

function eventOf(report: Report, recipient: string, type: ReportedEvent['type']): ReportedEvent {
  const { source, code, reply } = report;
  const reason = reply === undefined ? undefined : storableText(reply, MAX_REPLY);
  return {
    type,
    recipient,
    ...(reason !== undefined && { reason }),
    ...(code !== undefined && { reasonCode: code }),
    ...(type === 'bounced' && bounceOf(report, reason ?? '')),
    source,
  };
}

/** The given code and kind count, else what the one says of the other, else the reply. */
function bounceOf({ code, bounce }: Report, reason: string): Required<Pick<ReportedEvent, 'reasonCode' | 'bounce'>> {
  const judged = judgeReply({ text: reason });
  const kind = (bounce && kindOf(bounce)) ?? bounceOfReason(code) ?? judged.kind;
  return { reasonCode: code ?? (isSame(kind, judged.kind) ? judged.reasonCode : reasonOfBounce(kind)), bounce: kind };
}

function kindOf({ type, subType, operator }: BounceKind): BounceKind {
  return { type, subType, ...(operator !== undefined && { operator }) };
}
