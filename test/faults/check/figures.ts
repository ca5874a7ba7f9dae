import { recipientOf, rowOf } from '../world/draft.js';
import type { World } from '../world/world.js';
import type { Evidence, StoredEmail } from './evidence.js';
import { copiesTo, unknownAttempts } from './invariants.js';

/** A line of the result. All but `hits` and the recovery times count emails, or copies of them. */
export interface Figures {
  /** Further remark. */
  remark: string | undefined;
  /** Number of hits by the fault. Undefined: the fault has no countable hits. */
  hits: number | undefined;
  acked: number;
  delivered: number;
  /** Ended with a reason that the next hop gave. */
  refused: number;
  lost: number;
  /** Copies beyond the first that exceed the attempts recorded as unknown. */
  duplicated: number;
  /** Attempts recorded as unknown. */
  unknown: number;
  /** Milliseconds from the fault to the recorded delivery, ascending. */
  recovery: number[];
}

export function figuresOf(row: string, world: World, evidence: Evidence): Figures {
  const stored = new Map(evidence.stored.map((email) => [email.tag, email]));
  const acked = [...evidence.acknowledged.keys()].filter((tag) => rowOf(tag) === row);
  const emails = acked.flatMap((tag) => stored.get(tag) ?? []);
  const delivered = emails.filter((email) => addressesOf(email, evidence).every((to) => copiesTo(to, evidence) > 0));
  const ended = emails.filter((email) => !email.due && !delivered.includes(email));
  const sum = (count: (email: StoredEmail) => number) => emails.reduce((total, email) => total + count(email), 0);
  return {
    remark: world.remarks.get(row),
    hits: world.hits.get(row),
    acked: acked.length,
    delivered: delivered.length,
    refused: ended.length,
    lost: acked.length - delivered.length - ended.length,
    duplicated: sum((email) =>
      addressesOf(email, evidence).reduce(
        (total, to) => total + Math.max(0, copiesTo(to, evidence) - 1 - unknownAttempts(email, to)),
        0,
      ),
    ),
    unknown: sum(({ attempts }) => attempts.filter(({ unknown }) => unknown).length),
    recovery: recoveryTimes(row, world, stored),
  };
}

export function percentile(ascending: readonly number[], share: number): number | undefined {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))];
}

function addressesOf({ tag }: StoredEmail, { wanted }: Evidence): string[] {
  return Array.from({ length: wanted.get(tag)?.recipients ?? 0 }, (_, index) => recipientOf(tag, index));
}

/** From the last fault that hit an email, or from its due time if later, to its end. */
function recoveryTimes(row: string, { blows }: World, stored: ReadonlyMap<string, StoredEmail>): number[] {
  const lastBlow = new Map<string, number>();
  for (const { tag, at } of blows) {
    if (rowOf(tag) === row && at < endOf(stored.get(tag))) lastBlow.set(tag, at);
  }
  const late = [...lastBlow].map(([tag, at]) => endOf(stored.get(tag)) - Math.max(at, dueAt(stored.get(tag))));
  return late.map((time) => Math.max(0, Math.round(time))).sort((a, b) => a - b);
}

function endOf(email: StoredEmail | undefined): number {
  return email?.due === false ? Math.max(...email.events.map(({ at }) => at)) : 0;
}

function dueAt(email: StoredEmail | undefined): number {
  return email?.scheduled_at?.getTime() ?? 0;
}
