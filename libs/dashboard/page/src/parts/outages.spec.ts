import { outageSentence, reasonOf, waitingOf } from './outages';
import { clockTime } from './times';

const SINCE = '2026-11-21T03:12:00.000Z';
const NOW = Date.parse('2026-11-21T03:40:00Z');
const outage = { since: SINCE, what: 'next_hop', hop: 'smtp.example.com:587', waiting: 1_204 } as const;
const time = clockTime(Date.parse(SINCE), NOW);

describe('outageSentence', () => {
  it('says what cannot be reached, why, since when, how many wait, and what follows', () => {
    expect(outageSentence(outage, 'connect ECONNREFUSED 10.0.0.1:587', NOW)).toBe(
      `We couldn’t reach smtp.example.com:587 (connection refused) since ${time}. ${(1_204).toLocaleString()} emails are waiting; they’ll be sent when it answers.`,
    );
  });

  it('leaves out a reason that is not known', () => {
    expect(outageSentence({ ...outage, waiting: 1 }, null, NOW)).toBe(
      `We couldn’t reach smtp.example.com:587 since ${time}. 1 email is waiting; it’ll be sent when it answers.`,
    );
  });

  it('says so when nothing waits yet', () => {
    expect(outageSentence({ ...outage, waiting: 0 }, null, NOW)).toContain(
      'No email is waiting; new ones will be sent when it answers.',
    );
  });

  it('names missing workers, with the day of an older time', () => {
    const late = outageSentence({ ...outage, what: 'late', waiting: 2 }, null, NOW + 3 * 86_400_000);
    expect(late).toMatch(/^Emails are late since .*21.*: no worker sends them\. 2 emails are waiting; /);
  });
});

describe('reasonOf', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:25', 'connection refused'],
    ['ETIMEDOUT', 'no answer in time'],
    ['getaddrinfo ENOTFOUND smtp.test', 'host name not found'],
    ['535 5.7.8 Authentication failed', 'sign-in refused'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'no secure connection'],
    ['421 4.3.2 Service shutting down', undefined],
    [null, undefined],
  ])('of %j is %j', (error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});

it('does not claim an exact number beyond what is counted', () => {
  expect(waitingOf(100_000)).toBe(`${(100_000).toLocaleString()} or more emails are waiting`);
});
