import { type Ending, recipientOf } from '../world/draft.js';
import type { Hop } from '../world/world.js';
import type { Evidence, StoredAttempt, StoredEmail, StoredEvent } from './evidence.js';

const ENDED_BADLY = ['bounced', 'failed', 'suppressed'];
/** Outcome of a recipient that the next hop accepted. A relay still has to deliver. */
const ACCEPTED: Record<Hop, string> = { final: 'delivered', relay: 'sent' };
/** Events that end a recipient. Behind a relay, `delivered` must not occur. */
const TERMINAL: Record<Hop, readonly string[]> = {
  final: ['delivered', ...ENDED_BADLY],
  relay: ['sent', 'delivered', ...ENDED_BADLY],
};
/** Maximum length of a stored reply, and of the text before it, in characters. */
const LONGEST_REASON = 600;
/** An event of one recipient never follows one of a higher rank. */
const RANK: Record<string, number> = {
  queued: 0,
  scheduled: 0,
  delivery_delayed: 1,
  sent: 2,
  delivered: 3,
  bounced: 3,
  failed: 3,
  canceled: 3,
  suppressed: 3,
};

/** A scheduled email may come this much early, in milliseconds: the clocks of a ledger and of PostgreSQL are read apart. */
const CLOCK_GRAIN = 5;

/** Describes every violation of the promises in the evidence. */
export function violations(evidence: Evidence): string[] {
  return [
    ...answers(evidence),
    ...evidence.miscounts.map(
      ({ kind, recorded, counted }) => `${counted} events are counted as ${kind}, and ${recorded} are recorded.`,
    ),
    ...evidence.stored.flatMap((email) => emailViolations(email, evidence)),
  ];
}

function answers({ acknowledged, statuses, stored, wanted }: Evidence): string[] {
  const rows = new Set(stored.map(({ id }) => id));
  const found = [...statuses].filter((status) => status !== 200 && status !== 503);
  return [
    ...found.map((status) => `The API answered ${status}.`),
    ...[...acknowledged].flatMap(([tag, ids]) => [
      ...(ids.size > 1 ? [`${tag}: one idempotency key got ${ids.size} ids.`] : []),
      ...[...ids].filter((id) => !rows.has(id)).map((id) => `${tag}: ${id} was acknowledged and has no row.`),
    ]),
    ...stored.filter(({ tag }) => !wanted.has(tag)).map(({ id }) => `${id}: no client requested it.`),
    ...[...wanted.keys()].filter((tag) => !acknowledged.has(tag)).map((tag) => `${tag}: the API never accepted it.`),
  ];
}

function emailViolations(email: StoredEmail, evidence: Evidence): string[] {
  const { tag, message_id: messageId } = email;
  const mail = evidence.wanted.get(tag);
  if (!mail) return [];
  const addresses = Array.from({ length: mail.recipients }, (_, index) => recipientOf(tag, index));
  const copies = [...new Set(addresses.flatMap((address) => evidence.copies.get(address) ?? []))];
  const early = (at: number) => email.scheduled_at !== null && at < email.scheduled_at.getTime() - CLOCK_GRAIN;
  const isCanceled = email.last_event === 'canceled';
  return [
    ...(isCanceled ? canceledViolations(email, copies.length, evidence) : []),
    ...(!isCanceled && evidence.cancels.get(tag)?.has(200)
      ? ['its cancel was answered 200, and it is not canceled.']
      : []),
    ...(email.due ? ['nothing is left to do with it, or it is stuck: it still has a next attempt.'] : []),
    ...copies.filter((copy) => copy.messageId !== messageId).map((copy) => `a copy has Message-ID ${copy.messageId}.`),
    ...copies.filter(({ at }) => early(at)).map(() => 'a copy was sent before its time.'),
    ...(email.attempts.some(({ finished }) => !finished) ? ['an attempt was left open.'] : []),
    ...(email.counted < new Set(email.attempts.filter(mustCount).map(({ fence }) => fence)).size
      ? ['an attempt that was begun is not counted.']
      : []),
    ...(email.events.some(({ reason }) => [...(reason ?? '')].length > LONGEST_REASON)
      ? ['a reason without end.']
      : []),
    ...order(email.events.filter(({ recipient }) => recipient === null)),
    ...(isCanceled ? [] : addresses).flatMap((address, index) => {
      const expect = typeof mail.expect === 'string' ? mail.expect : mail.expect[index];
      return recipientViolations(email, address, evidence, { ...mail, expect });
    }),
  ].map((text) => `${tag} (${email.id}): ${text}`);
}

/** No recipient gets a canceled email, whatever the answer to the cancel request. */
function canceledViolations({ tag, recipients, events }: StoredEmail, copies: number, { cancels }: Evidence): string[] {
  return [
    ...(cancels.has(tag) ? [] : ['it was canceled, without a request for it.']),
    ...(copies > 0 ? [`${copies} copies of a canceled email.`] : []),
    ...(recipients.some(({ status }) => status !== 'canceled') ? ['a recipient of a canceled email is not.'] : []),
    ...(events.filter(({ type }) => type === 'canceled').length === 1 && events.at(-1)?.type === 'canceled'
      ? []
      : ['the history of a canceled email does not end with that.']),
  ];
}

function recipientViolations(
  email: StoredEmail,
  address: string,
  evidence: Evidence,
  {
    expect = 'accepted',
    atMost = 1 + unknownAttempts(email, address),
  }: { expect: Ending | undefined; atMost?: number },
): string[] {
  const copies = copiesTo(address, evidence);
  const accepted = ACCEPTED[evidence.hop];
  const status = email.recipients.find((recipient) => recipient.address === address)?.status ?? 'missing';
  const events = email.events.filter(({ recipient }) => recipient === address);
  const endings = events.filter(({ type }) => TERMINAL[evidence.hop].includes(type));
  const reasoned = endings.some(({ type, reason }) => ENDED_BADLY.includes(type) && reason);
  const isWrong = !fitting(expect, evidence.hop).includes(status);
  return [
    ...(copies > atMost ? [`${copies} copies to one recipient.`] : []),
    ...(copies === 0 && !reasoned ? ['neither a copy nor an end with a reason.'] : []),
    ...(status === accepted && copies === 0 ? [`${accepted}, says the record, but no copy came.`] : []),
    ...(isWhole(endings, status, expect, accepted) ? [] : [`${endings.length} endings of a ${status} recipient.`]),
    ...(isWrong ? [`a recipient is ${status}, not ${expect}: ${JSON.stringify(endings.at(-1)?.reason)}.`] : []),
    ...order(events),
  ];
}

/** One ending; a returned recipient has that of its copy, then that of the report. */
function isWhole(endings: readonly StoredEvent[], status: string, expect: Ending, accepted: string): boolean {
  const expected = expect === 'returned' ? [accepted, status] : [status];
  return endings.map(({ type }) => type).join() === expected.join();
}

/** Allowed outcomes of a recipient. */
function fitting(expect: Ending, hop: Hop): readonly string[] {
  if (expect === 'returned') return ['bounced'];
  return [...(expect === 'refused' ? [] : [ACCEPTED[hop]]), ...(expect === 'accepted' ? [] : ENDED_BADLY)];
}

/** All except emails deferred before the first command to the next hop: these return unchanged. */
function mayHaveSaid({ unknown, outcomes }: StoredAttempt): boolean {
  return unknown || outcomes !== null;
}

/** An email that moves to another transport at once counts an attempt when its round ends. */
function mustCount(attempt: StoredAttempt, index: number, all: readonly StoredAttempt[]): boolean {
  return mayHaveSaid(attempt) && !(isDeferred(attempt) && movedOn(attempt, all[index + 1]));
}

function isDeferred({ unknown, outcomes }: StoredAttempt): boolean {
  return !unknown && outcomes?.every(({ outcome }) => outcome === 'deferred') === true;
}

function movedOn({ transport }: StoredAttempt, next: StoredAttempt | undefined): boolean {
  return next !== undefined && next.transport !== transport;
}

/** Attempts recorded as unknown: this recipient may or may not have a copy. */
export function unknownAttempts({ attempts, recipients }: StoredEmail, address: string): number {
  const place = recipients.findIndex((recipient) => recipient.address === address) + 1;
  const isUnknown = ({ message, outcomes }: StoredAttempt) =>
    outcomes === null
      ? message === 0 || message === place
      : outcomes.some((one) => one.address === address && one.outcome === 'unknown');
  return attempts.filter((attempt) => attempt.unknown && isUnknown(attempt)).length;
}

export function copiesTo(address: string, { copies }: Evidence): number {
  return copies.get(address)?.length ?? 0;
}

function order(events: readonly StoredEvent[]): string[] {
  return events.flatMap(({ type }, index) => {
    const before = events[index - 1]?.type;
    const backwards = before !== undefined && (RANK[type] ?? 9) < (RANK[before] ?? 9);
    return backwards ? [`${type} was recorded after ${before}.`] : [];
  });
}
