import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { NewAlarm } from '../../shared/alarms/alarms.js';
import type { Alarm, AlarmSource, OnAlarm, OpenAlarm } from '../ports/alarm-source.js';
import type { AlarmStore, ClaimedAlarm, DueAlarmWork } from '../storage/alarms/alarm.repository.js';
import { AlarmsWorker } from './alarms.worker.js';

const SINCE = new Date('2026-11-26T10:00:00Z');
const UNTIL = new Date('2026-11-26T11:00:00Z');
const QUOTA = { code: 'quota', account: 'acme', subject: 'day', text: 'Ninety percent are used.' };

const claimed = (further: Partial<ClaimedAlarm> = {}): ClaimedAlarm => ({
  ...QUOTA,
  id: '7',
  fence: 3,
  since: SINCE,
  endedAt: null,
  isNotified: false,
  failures: 0,
  ...further,
});

const sourceOf = (
  active: (open: readonly OpenAlarm[]) => Promise<readonly NewAlarm[]>,
  codes: string[] = ['quota'],
): AlarmSource => ({ codes, active });

/** A worker with these pending calls and open alarms, which keeps its writes. */
function workerWith({
  pending = [],
  open = [],
  sources = [],
  onAlarm,
  mayLook = true,
  patience = 1_000,
}: {
  pending?: ClaimedAlarm[];
  open?: OpenAlarm[];
  sources?: AlarmSource[];
  onAlarm?: OnAlarm;
  mayLook?: boolean;
  patience?: number;
}) {
  const writes: [string, ...unknown[]][] = [];
  const asked: unknown[] = [];
  const watches: ((due: DueAlarmWork) => void)[] = [];
  const write =
    (name: string) =>
    async (...values: unknown[]) => {
      writes.push([name, ...values]);
      return 'done' as never;
    };
  const store: Pick<
    AlarmStore,
    'watch' | 'claimLook' | 'open' | 'raise' | 'end' | 'claim' | 'notified' | 'forget' | 'putOff'
  > = {
    watch: (onDue) => {
      watches.push(onDue);
      return () => watches.splice(0);
    },
    claimLook: async () => mayLook,
    open: async (codes) => {
      asked.push(codes);
      return open;
    },
    claim: async (_, limit) => pending.splice(0, limit),
    raise: write('raise'),
    end: write('end'),
    notified: write('notified'),
    forget: write('forget'),
    putOff: write('putOff'),
  };
  const worker = new AlarmsWorker(store, sources, onAlarm, patience, 500);
  return { worker, writes, asked, watches };
}

/** Makes the pending calls. */
async function callAll(given: Parameters<typeof workerWith>[0]) {
  const made = workerWith(given);
  await made.worker.call();
  await made.worker.beforeApplicationShutdown();
  return made;
}

beforeEach(() => {
  for (const level of ['warn', 'error'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(() => {});
});
afterEach(() => jest.restoreAllMocks());

describe('AlarmsWorker', () => {
  it('notifies of a begin and of an end, and records each after the call', async () => {
    const got: Alarm[] = [];
    const onAlarm = async (alarm: Alarm) => {
      got.push(alarm);
    };
    const begun = claimed();
    const ended = claimed({ id: '8', endedAt: UNTIL, isNotified: true });
    const { writes } = await callAll({ pending: [begun, ended], onAlarm });
    expect(got).toEqual([
      { ...QUOTA, since: SINCE },
      { ...QUOTA, since: SINCE, until: UNTIL },
    ]);
    expect(writes).toEqual([
      ['notified', begun],
      ['forget', ended],
    ]);
  });

  it('notifies of the begin first, also when the alarm has ended meanwhile', async () => {
    const onAlarm = jest.fn<OnAlarm>();
    const { writes } = await callAll({ pending: [claimed({ endedAt: UNTIL })], onAlarm });
    expect(onAlarm.mock.calls).toEqual([[{ ...QUOTA, since: SINCE }]]);
    expect(writes.map(([name]) => name)).toEqual(['notified']);
  });

  it.each<[string, OnAlarm]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['hangs', () => new Promise(() => {})],
  ])('tries again later when the host %s, and finally gives up', async (_, onAlarm) => {
    const [first, last] = [claimed(), claimed({ failures: 147 })];
    const { writes } = await callAll({ pending: [first], onAlarm, patience: 20 });
    expect(writes).toEqual([['putOff', first, expect.any(Number)]]);
    expect(writes[0]?.[2]).toBeGreaterThanOrEqual(5_000);
    const over = await callAll({ pending: [last], onAlarm, patience: 20 });
    expect(over.writes).toEqual([['notified', last]]);
    expect(jest.mocked(Logger.prototype.error).mock.calls).toEqual([['onAlarm failed for quota. It is given up.']]);
  });

  it('makes ten calls at a time, of which one that hangs holds up no other', async () => {
    let calls = 0;
    const onAlarm: OnAlarm = () => {
      calls += 1;
      return calls === 1 ? new Promise(() => {}) : undefined;
    };
    const pending = Array.from({ length: 30 }, (_, at) => claimed({ id: String(at) }));
    const { worker, writes } = workerWith({ pending, onAlarm, patience: 100 });
    const called = worker.call();
    await Promise.resolve();
    expect(calls).toBe(10);
    await called;
    expect(calls).toBe(30);
    await worker.beforeApplicationShutdown();
    expect(writes.filter(([name]) => name === 'notified')).toHaveLength(29);
    expect(writes.filter(([name]) => name === 'putOff')).toHaveLength(1);
  });

  it('leaves a call that hangs to another process when it stops', async () => {
    const pending = [claimed()];
    const { worker, writes } = workerWith({ pending, onAlarm: () => new Promise(() => {}), patience: 30_000 });
    await worker.call();
    await worker.beforeApplicationShutdown();
    expect(writes).toEqual([['putOff', claimed(), expect.any(Number)]]);
  });

  it('begins what a source has, and ends what it no longer has', async () => {
    const kept = { code: 'quota', account: 'kept', subject: 'day', since: SINCE };
    const gone = { code: 'quota', subject: 'month', since: SINCE };
    const other = { code: 'late', subject: 'x', since: SINCE };
    const given: unknown[] = [];
    const source = sourceOf(async (open) => {
      given.push(open);
      return [QUOTA, { ...QUOTA, account: 'kept' }];
    });
    const late = sourceOf(async () => [{ ...other, text: 'Late.' }], ['late']);
    const { worker, writes, asked } = workerWith({ sources: [source, late], open: [kept, gone, other] });
    await worker.look();
    expect([asked, given]).toEqual([[['quota', 'late']], [[kept, gone]]]);
    expect(writes).toEqual([
      ['end', [gone]],
      ['raise', [QUOTA]],
    ]);
  });

  it('knows an alarm by its subject as it is stored', async () => {
    const long = { ...QUOTA, subject: `\0${'x'.repeat(500)}` };
    const open = [{ ...QUOTA, subject: `\ufffd${'x'.repeat(199)}`, since: SINCE }];
    const { worker, writes } = workerWith({ sources: [sourceOf(async () => [long])], open });
    await worker.look();
    expect(writes).toEqual([]);
  });

  it.each<[string, AlarmSource['active']]>([
    ['fails', () => Promise.reject(new Error('no'))],
    ['has an alarm of another code', async () => [{ ...QUOTA, code: 'other' }]],
  ])('neither begins nor ends anything when a source %s, and says so once', async (_, active) => {
    const open = [{ code: 'quota', subject: 'day', since: SINCE }];
    const { worker, writes } = workerWith({ sources: [sourceOf(active)], open });
    await worker.look();
    await worker.look();
    expect(writes).toEqual([]);
    expect(jest.mocked(Logger.prototype.warn).mock.calls).toEqual([[expect.stringContaining('quota')]]);
  });

  it('does not ask while another process looks', async () => {
    const active = jest.fn<AlarmSource['active']>();
    const { worker, asked } = workerWith({ sources: [sourceOf(active)], mayLook: false });
    await worker.look();
    expect([asked, active.mock.calls]).toEqual([[], []]);
  });

  it('watches nothing without `onAlarm`, and nothing after the end', async () => {
    const without = workerWith({});
    without.worker.onApplicationBootstrap();
    expect(without.watches).toEqual([]);
    const { worker, watches } = workerWith({ onAlarm: () => {} });
    worker.onApplicationBootstrap();
    expect(watches).toHaveLength(1);
    await worker.beforeApplicationShutdown();
    expect(watches).toEqual([]);
  });

  it('calls and looks when it is due', async () => {
    const onAlarm = jest.fn<OnAlarm>();
    const active = jest.fn<AlarmSource['active']>(async () => []);
    const { worker, watches } = workerWith({ pending: [claimed()], onAlarm, sources: [sourceOf(active)] });
    worker.onApplicationBootstrap();
    watches[0]?.({ look: false, call: false });
    await new Promise(setImmediate);
    expect([onAlarm.mock.calls.length, active.mock.calls.length]).toEqual([0, 0]);
    watches[0]?.({ look: true, call: true });
    await new Promise(setImmediate);
    expect([onAlarm.mock.calls.length, active.mock.calls.length]).toEqual([1, 1]);
    await worker.beforeApplicationShutdown();
  });
});
