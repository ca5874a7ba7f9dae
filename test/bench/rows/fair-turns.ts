import { setTimeout as delay } from 'node:timers/promises';
import { postRequest, postRequests, smallEmail } from '../support/message.js';
import { makeAccount, type Place, type Queue, type Stage, TOKEN, type Variant } from '../support/stage.js';
import { costFigures } from './cost.js';
import { delivered, preload } from './delivery.js';
import { refuseErrors, withSide } from './post.js';
import { inTurn, quotient, type Row } from './row.js';

/** A sink that takes time for each message: connections are short, not the processor. Milliseconds. */
const SLOW_SINK = { delay: 0, pipelining: false, hold: 50 };
/** Emails whose delivery is timed: a second, and how long. */
const TIMED = { rate: 40, seconds: 8 };
/** The same behind a limit. */
const LIMITED = { rate: 8, seconds: 12 };
const PER_SECOND = 50;
/** After which a host that delivers is warm. Milliseconds. */
const WARM = 3_000;
/** Accounts that share a number of emails. */
const ACCOUNTS = 1_000;

/** From acceptance to delivery, of the timed emails. Milliseconds. */
const TIMES = `
SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM ev.occurred_at - e.created_at) * 1000)::float8 AS p99,
  count(*)::integer AS count
FROM nestjs_emails.events ev JOIN nestjs_emails.emails e ON e.id = ev.email_id
WHERE ev.type IN ('sent', 'delivered') AND ev.recipient LIKE '%@timed.example'`;

interface Timing {
  /** Bearer token of the timed emails. */
  token: string;
  timed: { rate: number; seconds: number };
  variant?: Variant;
}

/** p99 of the timed emails. */
async function timed(stage: Stage, place: Place, { token, timed, variant }: Timing): Promise<number> {
  const { rate, seconds } = timed;
  return withSide(stage.ours(place, 'all', variant), async ({ port }) => {
    await delay(WARM);
    const requests = Array.from({ length: 20 }, (_, n) =>
      postRequest(token, { ...smallEmail(n), to: `to${n}@timed.example` }),
    );
    const { statuses, sent } = await stage.load({ port, requests, connections: 20, rate, seconds });
    refuseErrors(statuses);
    for (;;) {
      const [row] = await place.query<{ p99: number; count: number }>(TIMES);
      if (row && row.count >= sent) return row.p99;
      await delay(100);
    }
  });
}

interface Backlog {
  count: number;
  /** Bearer token. */
  token: (place: Place) => Promise<string> | string;
  change?: object;
}

/** p99 of an account's emails, behind a backlog and without. */
async function behind(stage: Stage, queue: Queue, timing: Omit<Timing, 'token'>, backlog?: Backlog): Promise<number> {
  const place = await stage.place(queue);
  if (backlog) {
    await withSide(stage.ours(place, 'api'), async () => {});
    const requests = postRequests(await backlog.token(place), 100, backlog.change);
    await preload(stage, stage.ours(place, 'api'), backlog.count, requests);
  }
  const p99 = await stage.over(SLOW_SINK, () => timed(stage, place, { ...timing, token: TOKEN }));
  await place.drop();
  return p99;
}

function lanes(queue: Queue): Row {
  return {
    name: `fair-lanes-${queue}`,
    title: `p99 of an email in the lane \`now\`, behind a backlog of its account in \`bulk\` and without, ${nameOf(queue)} queue`,
    ratios: [
      { what: 'behind / without', of: quotient('behind p99 ms', 'without p99 ms'), atMost: 3, alone: true },
      {
        what: 'the same at 50 a second',
        of: (figures) =>
          ((figures['limited, behind p99 ms'] ?? Number.NaN) - 1_000 / PER_SECOND) /
          (figures['limited, without p99 ms'] ?? Number.NaN),
        atMost: 3,
        alone: true,
      },
    ],
    async round(stage, { backlog: count }, turn) {
      const backlog = { count, token: () => TOKEN, change: { priority: 'bulk' } };
      const limited = { timed: LIMITED, variant: { maxPerSecond: PER_SECOND } };
      const found = await inTurn(turn, {
        without: () => behind(stage, queue, { timed: TIMED }),
        behind: () => behind(stage, queue, { timed: TIMED }, backlog),
        limited: () => behind(stage, queue, limited),
        limitedBehind: () => behind(stage, queue, limited, backlog),
      });
      return {
        'without p99 ms': found.without,
        'behind p99 ms': found.behind,
        'limited, without p99 ms': found.limited,
        'limited, behind p99 ms': found.limitedBehind,
      };
    },
  };
}

function accounts(queue: Queue): Row {
  return {
    name: `fair-accounts-${queue}`,
    title: `p99 of an account's email, behind a backlog of another account and without, ${nameOf(queue)} queue`,
    ratios: [{ what: 'behind / without', of: quotient('behind p99 ms', 'without p99 ms'), atMost: 2, alone: true }],
    async round(stage, { backlog: count }, turn) {
      const backlog = { count, token: (place: Place) => makeAccount(place, 'many') };
      const found = await inTurn(turn, {
        without: () => behind(stage, queue, { timed: TIMED }),
        behind: () => behind(stage, queue, { timed: TIMED }, backlog),
      });
      return { 'without p99 ms': found.without, 'behind p99 ms': found.behind };
    },
  };
}

/** Delivery of the same number of emails, of one account and of a thousand. */
function cost(queue: Queue): Row {
  return {
    name: `fair-cost-${queue}`,
    title: `Delivery of emails of 1,000 accounts and of one, ${nameOf(queue)} queue`,
    ratios: [{ what: 'time, 1,000 / one', of: quotient('one/s', 'thousand/s'), atMost: 1.1 }],
    async round(stage, { emails }, turn) {
      const count = Math.min(emails, 10 * ACCOUNTS);
      const measured = async (number: number) => {
        const place = await stage.place(queue);
        await withSide(stage.ours(place, 'api'), async () => {});
        const tokens = await Promise.all(Array.from({ length: number }, (_, n) => makeAccount(place, `account ${n}`)));
        const requests = tokens.map((token, n) => postRequest(token, smallEmail(n)));
        await preload(stage, stage.ours(place, 'api'), count, requests);
        const result = await delivered(stage, () => [stage.ours(place, 'worker')], count);
        await place.drop();
        return result;
      };
      const { one, thousand } = await inTurn(turn, { one: () => measured(1), thousand: () => measured(ACCOUNTS) });
      return {
        'one/s': one.rate,
        'thousand/s': thousand.rate,
        ...costFigures('one CPU', one.cost),
        ...costFigures('thousand CPU', thousand.cost),
      };
    },
  };
}

function nameOf(queue: Queue): string {
  return queue === 'redis' ? 'Redis' : 'PostgreSQL';
}

export const fairTurns: readonly Row[] = [
  lanes('redis'),
  lanes('postgres'),
  accounts('redis'),
  accounts('postgres'),
  cost('redis'),
  cost('postgres'),
];
