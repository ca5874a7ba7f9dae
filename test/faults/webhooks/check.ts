import type { Logged, RecordedEvent, Request, WebhookEvidence } from './evidence.js';

/** Answers that acknowledge an event, whatever follows their first line. */
const TAKEN: readonly unknown[] = [200, 'short', 'flood'];

/** A line of the table of webhooks. All but `hits` and the recovery times count events at endpoints, or requests. */
export interface WebhookFigures {
  hits: number | undefined;
  /** Events that an endpoint must get. */
  owed: number;
  requests: number;
  /** Events missing at the receiver. */
  missing: number;
  /** Acknowledged more than once, beyond the requests with an unknown end. */
  repeated: number;
  /** Answered requests without an end in the log. */
  unseen: number;
  unsigned: number;
  /** Milliseconds from the last fault to the answer, ascending. */
  recovery: number[];
}

/** An event of one type of one email at one endpoint: only their number is compared. */
interface Debt {
  owed: number;
  requests: Request[];
  logged: Logged[];
  events: RecordedEvent[];
}

export function webhookFigures(row: string, hits: number | undefined, evidence: WebhookEvidence): WebhookFigures {
  const debts = debtsOf(evidence).filter(({ events }) => events.some((event) => event.row === row));
  const sum = (count: (debt: Debt) => number) => debts.reduce((total, debt) => total + count(debt), 0);
  return {
    hits,
    owed: sum(({ owed }) => owed),
    requests: sum(({ requests }) => requests.length),
    missing: sum(missing),
    repeated: sum(repeated),
    unseen: sum(unseen),
    unsigned: sum(({ requests }) => requests.filter(({ signed }) => !signed).length),
    recovery: debts.flatMap((debt) => recovery(debt, evidence)).sort((a, b) => a - b),
  };
}

/** Describes every violation of the promises. */
export function webhookViolations(evidence: WebhookEvidence): string[] {
  const { requests, logged, disabled } = evidence;
  const debts = debtsOf(evidence);
  const about = (debt: Debt, text: string) => `webhook of ${debt.events[0]?.row}: ${text}`;
  return [
    ...debts.flatMap((debt) => [
      ...(missing(debt) > 0 ? [about(debt, 'an event never came.')] : []),
      ...(repeated(debt) > 0 ? [about(debt, 'an event came again after an end that was recorded.')] : []),
      ...(idsOf(debt.requests).size > debt.events.length ? [about(debt, 'more events came than there were.')] : []),
    ]),
    ...requests.filter(({ signed }) => !signed).map(() => 'A request without a signature that fits.'),
    ...changed(requests, ({ id, hash }) => [id, hash]).map(() => 'One event came with two bodies.'),
    ...disorder(requests, logged).map((text) => `A webhook came too early: ${text}.`),
    ...logged.filter(({ due }) => due).map(() => 'A webhook is still pending.'),
    ...logged.filter(({ status }) => status !== 'success').map(({ status }) => `A webhook ended as ${status}.`),
    ...disabled.map((name) => `The endpoint ${name} was disabled.`),
  ];
}

/** Events whose writing statement began after the 201. */
function debtsOf({ endpoints, events, requests, logged }: WebhookEvidence): Debt[] {
  return endpoints.flatMap((endpoint) => {
    const debts = new Map<string, Debt>();
    for (const event of events) {
      const key = `${event.type} ${event.email}`;
      const debt = debts.get(key) ?? { owed: 0, requests: [], logged: [], events: [] };
      debts.set(key, debt);
      debt.events.push(event);
      if (event.at > endpoint.answeredAt) debt.owed += 1;
    }
    for (const request of requests) {
      if (request.endpoint === endpoint.name) debts.get(`${request.type} ${request.email}`)?.requests.push(request);
    }
    const log = new Map(logged.filter((one) => one.endpoint === endpoint.name).map((one) => [one.id, one]));
    for (const debt of debts.values()) {
      for (const id of idsOf(debt.requests)) debt.logged.push(...[log.get(id)].filter((one) => one !== undefined));
    }
    return [...debts.values()];
  });
}

function idsOf(requests: readonly Request[]): Set<string> {
  return new Set(requests.map(({ id }) => id));
}

const isTaken = ({ answer }: Request): boolean => TAKEN.includes(answer);

function missing({ owed, requests }: Debt): number {
  return Math.max(0, owed - idsOf(requests.filter(isTaken)).size);
}

/** A second success is recorded only if the first was unknown. */
function repeated({ logged }: Debt): number {
  return logged.reduce((sum, { codes }) => sum + Math.max(0, codes.filter(isSuccess).length - 1), 0);
}

function unseen({ requests, logged }: Debt): number {
  const whole = requests.filter(({ answer }) => typeof answer === 'number').length;
  const silent = requests.filter(({ answer }) => answer === undefined).length;
  const seen = logged.reduce((sum, { codes }) => sum + codes.filter((code) => code !== 0).length, 0);
  return silent + Math.max(0, whole - seen);
}

function isSuccess(code: number): boolean {
  return code >= 200 && code < 300;
}

function recovery({ events, requests }: Debt, { blows }: WebhookEvidence): number[] {
  const first = requests.find(isTaken);
  const happened = Math.min(...events.map(({ at }) => at));
  const blow = first && blows.findLast((at) => at > happened && at < first.answeredAt);
  return first && blow !== undefined ? [first.answeredAt - blow] : [];
}

/** Ids that occur a second time with another value. */
function changed(requests: readonly Request[], of: (request: Request) => readonly [string, string]): string[] {
  const known = new Map<string, string>();
  return requests.flatMap((request) => {
    const [key, value] = of(request);
    const before = known.get(key);
    if (before === undefined) known.set(key, value);
    return before === undefined || before === value ? [] : [key];
  });
}

/**
 * First requests of an email's events begin in the order of the events, unless one of them was lost. Two concurrent
 * ones may arrive in either order: they have two connections.
 */
function disorder(requests: readonly Request[], logged: readonly Logged[]): string[] {
  const lost = new Set(logged.filter(({ codes }) => codes.includes(0)).map(({ endpoint, id }) => `${endpoint} ${id}`));
  const met = new Set<string>();
  const last = new Map<string, Request>();
  return requests.flatMap((request) => {
    const { endpoint, id, email, createdAt, type, at } = request;
    if (met.has(`${endpoint} ${id}`) || lost.has(`${endpoint} ${id}`)) return [];
    met.add(`${endpoint} ${id}`);
    const key = `${endpoint} ${email}`;
    const before = last.get(key);
    last.set(key, request);
    if (before === undefined || before.createdAt <= createdAt) return [];
    return before.answer !== undefined && before.answeredAt < at ? [`${type} after ${before.type}`] : [];
  });
}
