import { setTimeout as delay } from 'node:timers/promises';
import { postRequest, postRequests, smallEmail } from '../support/message.js';
import { makeAccount, type Place, type Queue, type Stage, TOKEN, type Variant } from '../support/stage.js';
import { costFigures } from './cost.js';
import { delivered, preload } from './delivery.js';
import { refuseErrors, withSide } from './post.js';
import { type Figures, inTurn, quotient, type Ratio, type Row, type Scale } from './row.js';

/** A sink that takes time for each message: connections are short, not the processor. Milliseconds. */
const SLOW_SINK = { delay: 0, pipelining: false, hold: 50 };
/** Emails whose delivery is timed, a second; the others behind a limit, for twice as long. */
const RATE = 40;
const LIMITED_RATE = 8;
const LIMITED_LENGTH = 2;
const PER_SECOND = 50;
/** After which a host that delivers is warm. Milliseconds. */
const WARM = 3_000;
/**
 * In order of arrival, 5,000 emails take a hundred times as long as none. Other load, or few timed emails, move the 99th
 * percentile by a factor of two.
 */
const GUARD = 8;
const FAIR = ['libs/emails/src/emails/deliver/', 'libs/emails/src/emails/queue/', 'libs/emails/src/shared/work/'];
/** Accounts that share a number of emails. */
const ACCOUNTS = 1_000;

/** From acceptance to delivery, of the timed emails. Milliseconds. */
const TIMES = `
SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM ev.occurred_at - e.created_at) * 1000)::float8 AS p99,
  count(*)::integer AS count
FROM nestjs_emails.events ev JOIN nestjs_emails.emails e ON e.id = ev.email_id
WHERE ev.type IN ('sent', 'delivered') AND ev.recipient LIKE '%@timed.example'`;

interface Timed {
  rate: number;
  seconds: number;
}

interface Timing {
  /** Bearer token of the timed emails. */
  token: string;
  timed: Timed;
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
    // Pages and dead rows that acceptance has left are no cost of turns.
    await place.query('VACUUM ANALYZE');
    await place.query('CHECKPOINT');
  }
  const p99 = await stage.over(SLOW_SINK, () => timed(stage, place, { ...timing, token: TOKEN }));
  await place.drop();
  return p99;
}

const timedIn = ({ seconds }: Scale) => ({ rate: RATE, seconds: seconds + 2 });

const ownBulk = ({ backlog }: Scale): Backlog => ({ count: backlog, token: () => TOKEN, change: { priority: 'bulk' } });

const ratioOf = (atMost: number): Ratio => ({
  what: 'behind / without',
  of: quotient('behind p99 ms', 'without p99 ms'),
  atMost,
  guard: GUARD,
  alone: true,
});

async function bothWays(turn: number, p99: (backlog?: Backlog) => Promise<number>, backlog: Backlog): Promise<Figures> {
  const found = await inTurn(turn, { without: () => p99(), behind: () => p99(backlog) });
  return { 'without p99 ms': found.without, 'behind p99 ms': found.behind };
}

function lanes(queue: Queue): Row {
  return {
    name: `fair-lanes-${queue}`,
    title: `p99 of an email in the lane \`now\`, behind a backlog of its account in \`bulk\` and without, ${nameOf(queue)} queue`,
    short: { seconds: 30, about: FAIR },
    ratios: [ratioOf(3)],
    async round(stage, scale, turn) {
      return bothWays(turn, (backlog) => behind(stage, queue, { timed: timedIn(scale) }, backlog), ownBulk(scale));
    },
  };
}

function limited(queue: Queue): Row {
  return {
    name: `fair-limited-${queue}`,
    title: `The same at ${PER_SECOND} emails a second, less one interval, ${nameOf(queue)} queue`,
    short: { seconds: 30, about: FAIR },
    ratios: [
      {
        ...ratioOf(3),
        of: (figures) =>
          ((figures['behind p99 ms'] ?? Number.NaN) - 1_000 / PER_SECOND) / (figures['without p99 ms'] ?? Number.NaN),
      },
    ],
    async round(stage, scale, turn) {
      const timing = {
        timed: { rate: LIMITED_RATE, seconds: LIMITED_LENGTH * scale.seconds },
        variant: { maxPerSecond: PER_SECOND },
      };
      return bothWays(turn, (backlog) => behind(stage, queue, timing, backlog), ownBulk(scale));
    },
  };
}

function accounts(queue: Queue): Row {
  return {
    name: `fair-accounts-${queue}`,
    title: `p99 of an account's email, behind a backlog of another account and without, ${nameOf(queue)} queue`,
    short: { seconds: 30, about: FAIR },
    ratios: [ratioOf(2)],
    async round(stage, scale, turn) {
      const other = { count: scale.backlog, token: (place: Place) => makeAccount(place, 'many') };
      return bothWays(turn, (backlog) => behind(stage, queue, { timed: timedIn(scale) }, backlog), other);
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
        // The same thousand emails on both sides.
        const requests = Array.from({ length: ACCOUNTS }, (_, n) =>
          postRequest(tokens[n % number] as string, smallEmail(n)),
        );
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
  limited('redis'),
  limited('postgres'),
  accounts('redis'),
  accounts('postgres'),
  cost('redis'),
  cost('postgres'),
];
