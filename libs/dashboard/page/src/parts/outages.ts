import type { DashboardDegradation } from '../../../src/status/dashboard-status';
import { countedOf } from './numbers';
import { clockTime } from './times';

/** Why mail is late, as the server says it. */
export type Outage = DashboardDegradation;

/** From this number on, more may wait than the server counted. */
const COUNTED = 100_000;

/** Plain reasons for the codes of Node and of the next hop, in the order in which they are looked for. */
const REASONS = [
  [/ECONNREFUSED/, 'connection refused'],
  [/ETIMEDOUT|ETIMEOUT|timed? ?out/i, 'no answer in time'],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'host name not found'],
  [/EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN/, 'no route to it'],
  [/EAUTH|^53[0458]/, 'sign-in refused'],
  [/CERT|TLS|SSL/i, 'no secure connection'],
  [/ECONNRESET|EPIPE|ESOCKET|ECONNECTION/, 'connection lost'],
] as const;

/** "connection refused" for an error with its code; undefined for one that only its own words explain. */
export function reasonOf(error: string | null): string | undefined {
  return error === null ? undefined : REASONS.find(([pattern]) => pattern.test(error))?.[1];
}

/** "1,204 emails are waiting", "100,000 or more emails are waiting". */
export function waitingOf(count: number): string {
  const emails =
    count >= COUNTED ? `${countedOf(count, 'or more email', 'or more emails')}` : countedOf(count, 'email');
  return `${emails} ${count === 1 ? 'is' : 'are'} waiting`;
}

/**
 * "We couldn't reach smtp.example.com:587 (connection refused) since 03:12. 1,204 emails are waiting; they'll be sent
 * when it answers."
 *
 * @param error of the next hop, if it is known
 * @param now milliseconds since 1970
 */
export function outageSentence({ since, what, hop, waiting }: Outage, error: string | null, now: number): string {
  const time = clockTime(Date.parse(since), now);
  if (what === 'late')
    return `Emails are late since ${time}: no worker sends them. ${afterwards(waiting, 'a worker is back')}`;
  const reason = reasonOf(error);
  const cause = reason === undefined ? '' : ` (${reason})`;
  return `We couldn’t reach ${hop}${cause} since ${time}. ${afterwards(waiting, 'it answers')}`;
}

function afterwards(waiting: number, condition: string): string {
  if (waiting === 0) return `No email is waiting; new ones will be sent when ${condition}.`;
  return `${waitingOf(waiting)}; ${waiting === 1 ? 'it' : 'they'}’ll be sent when ${condition}.`;
}
