import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import type { BounceKind } from '../../shared/replies/bounce.js';
import { bounceOfReason, isSame, reasonOfBounce } from '../../shared/replies/bounce-reasons.js';
import { judgeReply } from '../../shared/replies/judge-reply.js';
import { MAX_REASON, storableText } from '../../shared/text/storable-text.js';
import type { ReportedOutcome } from '../ports/reported-outcome.js';
import { afterReport } from '../states/after-report.js';
import type { ReasonCode } from '../states/reason-codes.js';
import { isPending, type RecipientState, stateOf } from '../states/recipient-state.js';
import { REPORTED_KINDS } from '../states/reported-kinds.js';
import type { ReportedEmail, ReportedEvent, ReportedMove } from '../storage/deliver/change.repository.js';

/** The code of a bounce that any recipient of the email could have written. */
const UNCONFIRMED: ReasonCode = 'unconfirmed_bounce';
/** The code of a failure of the mailbox that a message was redirected to. */
const REDIRECT_FAILED: ReasonCode = 'redirect_failed';

/** Verdict on a bounce whose recipient is not known. */
const NO_ADDRESS = { code: 'no_address_in_report', bounce: { type: 'Permanent', subType: 'NoEmail' } } as const;

type Report = Omit<ReportedOutcome, 'emailId' | 'accountId'>;

/** States of recipients that were sent to, and of which no failure is known. */
const UNDER_WAY: readonly RecipientState['status'][] = ['sent', 'delivered'];
/** States of recipients that were not sent to. */
const NOT_SENT_TO: readonly RecipientState['status'][] = ['suppressed', 'refused', 'canceled', 'failed'];

/**
 * Derives the change that a report makes to an email: one recipient moves forward. A recipient that the next hop delays
 * stays `sent`, since no worker tries it again; the delay is recorded once. A bounce is recorded next to one that any
 * recipient could have written, once, and the recipient stays. A report that may be unnamed is recorded without a
 * recipient if none is found. A report on a redirected message says nothing about the address of a recipient.
 */
export function moveOf(email: ReportedEmail, given: Report): ReportedMove | 'unchanged' | 'unknown_recipient' {
  const { recipients, lastEvent, attempts, reported } = email;
  const sent = withoutErased(given, recipients);
  const index = placeOf(sent, recipients);
  const recipient = recipients[index];
  const isUnsubscribed = sent.kind === 'unsubscribed';
  if (!recipient && (!sent.mayBeUnnamed || isUnsubscribed)) return 'unknown_recipient';
  const report = isRedirected(recipient, recipients) ? ofRedirected(sent) : sent;
  if (!report) return 'unchanged';
  if (!recipient) return withoutRecipient(email, report);
  const { address } = recipient;
  if (isUnsubscribed) return unsubscribed(email, report, address);
  // Another recipient must not end the attempts at this one.
  if (isPending(recipient) && (attempts === 0 || sent.code === UNCONFIRMED)) return 'unchanged';
  const status = afterReport(recipient.status, report.kind) ?? null;
  const isKnown = reported.some((event) => event.type === 'delivery_delayed' && event.recipient === address);
  const isDelayed = report.kind === 'deferred' && recipient.status === 'sent' && !isKnown;
  const isConfirmed = recipient.status === 'bounced' && confirms(report, address, reported);
  if (status === null && !isDelayed && !isConfirmed) return 'unchanged';
  const after = status === null ? recipients : recipients.with(index, { address, status });
  return {
    place: index,
    status,
    // A canceled email stays canceled: an erasure may have ended one that was sent to another recipient.
    lastEvent: lastEvent === 'canceled' ? lastEvent : stateOf(after),
    isPending: after.some(isPending),
    event: eventOf(report, address, status ?? (isDelayed ? 'delivery_delayed' : 'bounced')),
  };
}

/** A report that names none of the recipients may be about any message of the email. */
function isRedirected(recipient: RecipientState | undefined, recipients: readonly RecipientState[]): boolean {
  return recipient ? recipient.redirected === true : recipients.some(({ redirected }) => redirected);
}

/** A bounce of the other mailbox is a failure. A complaint by its owner counts for nobody: undefined. */
function ofRedirected(report: Report): Report | undefined {
  if (report.kind === 'complained') return undefined;
  if (report.kind !== 'bounced' && report.kind !== 'failed') return report;
  return { ...report, kind: 'failed', code: REDIRECT_FAILED, bounce: undefined };
}

/** Recorded once, in any state: the end of the attempt that sent it may not be recorded yet. */
function unsubscribed({ recipients, lastEvent, reported }: ReportedEmail, report: Report, address: string) {
  const event = eventOf(report, address, 'unsubscribed');
  if (reported.some(({ type, recipient }) => type === event.type && recipient === address)) return 'unchanged';
  return { place: null, status: null, lastEvent, isPending: recipients.some(isPending), event };
}

/** True for a bounce at an address of which only others are known that any recipient could have written. */
function confirms({ kind, code }: Report, address: string, reported: ReportedEmail['reported']): boolean {
  const known = reported.filter(({ type, recipient }) => type === 'bounced' && recipient === address);
  const isHidden = known.length > 0 && known.every(({ reasonCode }) => reasonCode === UNCONFIRMED);
  return kind === 'bounced' && code !== UNCONFIRMED && isHidden;
}

/** A reply often quotes the address, which must not return after an erasure. */
function withoutErased(report: Report, recipients: readonly RecipientState[]): Report {
  return recipients.some(({ address }) => address === ERASED_ADDRESS) ? { ...report, reply: undefined } : report;
}

/** Index of the recipient that a report is about; -1 without one. */
function placeOf(
  { recipientIndex, recipient = [], mayBeUnnamed }: Report,
  recipients: readonly RecipientState[],
): number {
  if (recipientIndex !== undefined && recipientIndex < recipients.length) return recipientIndex;
  const named = [recipient].flat();
  if (named.length === 0) return mayBeUnnamed ? onlyOne(recipients) : -1;
  const keys = recipients.map(({ address }) => addressKey(address));
  for (const address of named) {
    const index = keys.indexOf(addressKey(address));
    if (index !== -1) return index;
  }
  return -1;
}

function onlyOne(recipients: readonly RecipientState[]): number {
  const places = [...recipients.keys()];
  const among = (wanted: (recipient: RecipientState) => boolean) =>
    places.filter((place) => wanted(recipients[place] as RecipientState));
  const underWay = among(({ status }) => UNDER_WAY.includes(status));
  // A repeated report finds none under way.
  const [only = -1, ...others] = underWay.length > 0 ? underWay : among(({ status }) => !NOT_SENT_TO.includes(status));
  return others.length === 0 ? only : -1;
}

/** One event of each kind: reports without a recipient may come in any number. */
function withoutRecipient({ recipients, lastEvent, attempts, reported }: ReportedEmail, report: Report) {
  const type = REPORTED_KINDS[report.kind] ?? 'delivery_delayed';
  const event = eventOf(type === 'bounced' ? { ...report, ...NO_ADDRESS } : report, undefined, type);
  const isKnown = reported.some(
    ({ type, recipient, source, reason }) =>
      type === event.type && (recipient === null || (source === event.source && reason === (event.reason ?? null))),
  );
  if (attempts === 0 || isKnown) return 'unchanged';
  return { place: null, status: null, lastEvent, isPending: recipients.some(isPending), event };
}

function eventOf(report: Report, recipient: string | undefined, type: ReportedEvent['type']): ReportedEvent {
  const { source, code, reply } = report;
  const reason = reply === undefined ? undefined : storableText(reply, MAX_REASON);
  return {
    type,
    ...(recipient !== undefined && { recipient }),
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
