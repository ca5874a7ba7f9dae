import { LateMailAlarms } from './late-mail.alarms.js';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

async function activeWith(oldestDue: number, oldestWaiting: number | null, ...open: string[]) {
  const hops: string[] = [];
  const lateness = async (hop: string) => {
    hops.push(hop);
    return { oldestDue, oldestWaiting };
  };
  const source = new LateMailAlarms({ lateness }, 'mx.test:25', () => NOW);
  const alarms = await source.active(open.map((code) => ({ code, subject: 'x', since: new Date(NOW) })));
  expect(hops).toEqual(['mx.test:25']);
  return alarms;
}

const codes = async (...given: Parameters<typeof activeWith>) => (await activeWith(...given)).map(({ code }) => code);

describe('LateMailAlarms', () => {
  it('is quiet while no mail waits', async () => {
    expect(await activeWith(0, null)).toEqual([]);
  });

  it('is on when mail has waited for the next hop for ten seconds, and off when none waits', async () => {
    expect(await codes(9_999, 9_999)).toEqual([]);
    expect(await activeWith(10_000, 10_000)).toEqual([
      {
        code: 'next_hop_down',
        subject: 'mx.test:25',
        since: new Date(NOW - 10_000),
        text: 'Emails wait for mx.test:25, because no connection to it can be opened.',
      },
    ]);
    expect(await codes(5, 5, 'next_hop_down')).toEqual(['next_hop_down']);
    expect(await codes(5, null, 'next_hop_down')).toEqual([]);
  });

  it('is on when mail is ten minutes old, and off below five', async () => {
    expect(await codes(10 * MINUTE - 1, null)).toEqual([]);
    expect(await activeWith(10 * MINUTE, null)).toMatchObject([
      { code: 'mail_late', subject: 'backlog', since: new Date(NOW - 10 * MINUTE) },
    ]);
    expect(await codes(5 * MINUTE, null, 'mail_late')).toEqual(['mail_late']);
    expect(await codes(5 * MINUTE - 1, null, 'mail_late')).toEqual([]);
    expect(await codes(10 * MINUTE, 10 * MINUTE)).toEqual(['next_hop_down', 'mail_late']);
  });
});
