import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';
import { fault, loseFirst, type Outage } from './two-relays.js';

const PUT_OFF = 'n1';
const CLOSED = 'n2';

/** Delay before the first retry. Milliseconds. */
const RETRY = 500;
const MANY = Number.POSITIVE_INFINITY;

const OUTAGES: readonly Outage[] = [
  {
    row: PUT_OFF,
    ...fault(({ random }) => (stage) => {
      const isRefused = stage === 'dot' || (stage === 'data' && random.chance(0.5));
      return isRefused ? { action: { kind: 'say', line: '451 4.3.0 Not now' } } : undefined;
    }),
    // Each email is tried at least twice.
    every: 40,
    inspect: (world) => inspect(world, PUT_OFF),
  },
  {
    row: CLOSED,
    ...fault(
      ({ random }) =>
        (stage) =>
          stage === 'dot' ? { action: { kind: 'close' }, taken: random.chance(0.5) } : undefined,
    ),
    stays: true,
    // Each email is tried twice a second meanwhile.
    every: 60,
    inspect: (world) => inspect(world, CLOSED),
  },
];

/**
 * The first of two relays says 250 to each envelope, and then refuses the content, or closes without a word after the final dot.
 * Mail never moves at once. Refused content leaves by the second relay at its next attempt. After an unknown end the email is tried
 * again as if nothing were wrong with the first.
 */
export const lyingRelay: Scenario = {
  name: 'lying relay',
  about: 'next hop lies',
  minutes: 0.8,
  bothWays: true,
  hasBackup: true,
  traced: { busy: MANY, lostReply: MANY, refusal: MANY },
  rows: [
    { id: PUT_OFF, fault: 'the first of two relays says 451 to DATA or to the final dot', crash: true },
    { id: CLOSED, fault: 'the first of two relays closes after the final dot', crash: true },
  ],

  run: (world, { factor }) => loseFirst(world, OUTAGES, factor),
};

/**
 * $1: beginning of the emails' keys, $2: milliseconds. Attempts that began too soon after another one, or at a relay that had refused
 * the content. Each process has a name of its own for a relay here: it does not know what another one tried.
 */
const STRAYED = `
SELECT count(*) FILTER (WHERE started_at - ended < $2 * interval '1 millisecond')::integer AS soon,
  count(*) FILTER (WHERE refused AND transport = place)::integer AS again
FROM (
  SELECT started_at, transport, lag(finished_at) OVER attempts AS ended, lag(transport) OVER attempts AS place,
    lag(outcomes @? '$[*].reply.stage ? (@ == "data" || @ == "dot")') OVER attempts AS refused
  FROM nestjs_emails.attempts JOIN nestjs_emails.idempotency_keys USING (email_id) WHERE key LIKE $1
  WINDOW attempts AS (PARTITION BY email_id ORDER BY fence)
) AS followed`;

/** No email moves at once. The next attempt after refused content takes the other relay. */
async function inspect(world: World, row: string): Promise<void> {
  const { rows } = await world.pool.query<{ soon: number; again: number }>(STRAYED, [`${row}-%`, RETRY]);
  const { soon = 0, again = 0 } = rows[0] ?? {};
  if (soon > 0) world.complaints.push(`"${row}": ${soon} attempts followed another one before their time.`);
  if (again > 0) world.complaints.push(`"${row}": ${again} attempts took the relay that had refused the content.`);
}
