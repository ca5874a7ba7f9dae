import { hopBits } from '../storage/deliver/hop-bits.js';
import { LateMailAlarms } from './late-mail.alarms.js';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

async function activeWith(oldestDue: number, oldestWaiting: number | null, ...open: string[]) {
  const hops: bigint[] = [];
  const lateness = async (hop: bigint) => {
    hops.push(hop);
    return { oldestDue, oldestWaiting };
  };
  const source = new LateMailAlarms(
    { lateness },
    ['mx.test:25'],
    () => [],
    () => NOW,
  );
  const alarms = await source.active(open.map((code) => ({ code, subject: 'mx.test:25', since: new Date(NOW) })));
  expect(hops).toEqual([hopBits(['mx.test:25'])]);
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
        text: 'No connection to mx.test:25 can be opened, and emails wait for it.',
      },
    ]);
    expect(await codes(5, 5, 'next_hop_down')).toEqual(['next_hop_down']);
    expect(await codes(5, null, 'next_hop_down')).toEqual([]);
  });

  it('is on for each hop that this process has found down for ten seconds, although no mail waits', async () => {
    const lateness = async (hops: bigint) => ({ oldestDue: 0, oldestWaiting: hops === hopBits(['c']) ? 20_000 : null });
    const down = (name: string, age: number) => ({ name, downSince: new Date(NOW - age) });
    const known = () => [down('a', 10_000), down('b', 9_999), { name: 'c', downSince: null }];
    const alarms = await new LateMailAlarms({ lateness }, ['a', 'b', 'c'], known, () => NOW).active([]);
    expect(alarms.map(({ subject, text }) => [subject, text])).toEqual([
      ['a', 'No connection to a can be opened.'],
      ['c', 'No connection to c can be opened, and emails wait for it.'],
    ]);
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
