import { setTimeout as delay } from 'node:timers/promises';
import type { Action } from '../../support/servers/smtp/smtp-script.js';
import type { Scenario } from './scenario.js';
import { fault, loseFirst, type Outage } from './two-relays.js';

const SLOW = 'h5';
const LOCKED_OUT = 'h6';

/** Time that a slow relay takes for each reply, also for its greeting: the time limit of that is shorter. Milliseconds. */
const SLOWLY = 2_500;

const MANY = Number.POSITIVE_INFINITY;

const OUTAGES: readonly Outage[] = [
  { row: SLOW, ...fault(() => () => ({ action: { kind: 'hold', reached: () => {}, released: delay(SLOWLY) } })) },
  // The row is the last one: workers ask such a relay less and less often whether it is back.
  {
    row: LOCKED_OUT,
    ...fault(({ random }) => (stage) => {
      if (stage === 'mail') return { action: say('421 4.7.0 Log in again') };
      if (stage !== 'auth') return undefined;
      return { action: say(random.pick(['535 5.7.8 Wrong password', '454 4.7.0 No login for a time'])) };
    }),
  },
];

function say(line: string): Action {
  return { kind: 'say', line };
}

/** The first of two relays serves no more as it did, while its connections can still be opened. Mail leaves by the second. */
export const badRelay: Scenario = {
  name: 'failover from a bad relay',
  about: 'next hop lost',
  minutes: 0.8,
  bothWays: true,
  hasBackup: true,
  smtpQuery: '?connectionTimeout=2000&greetingTimeout=2000&socketTimeout=8000',
  traced: { away: MANY, busy: MANY },
  rows: [
    { id: SLOW, fault: 'the first of two relays takes 2.5 s for each reply', crash: true },
    { id: LOCKED_OUT, fault: 'the first of two relays refuses the login after a time', crash: true },
  ],

  run: (world, { factor }) => loseFirst(world, OUTAGES, factor),
};
