import { jest } from '@jest/globals';
import { type EndWrite, LeaseRecorder } from './lease-recorder.js';

interface LeaseEnd {
  id: string;
}

type LeaseClose = EndWrite<readonly string[]>;

const endOf = (id: string): LeaseEnd => ({ id });
const DONE: LeaseClose = [];
const failure = (code: string) => Object.assign(new Error('no'), { code });

/** A recorder on a storage in which some emails are locked, or writing fails. */
function recorderOn(write: (id: string) => LeaseClose | Error) {
  const released = new Map<string, (written: LeaseClose) => void>();
  const storage = {
    close: async (ends: readonly LeaseEnd[]) =>
      ends.map(({ id }) => {
        const written = write(id);
        if (written instanceof Error) throw written;
        return written;
      }),
    closeLocked: ({ id }: LeaseEnd) => new Promise<LeaseClose>((resolve) => released.set(id, resolve)),
  };
  return { released, recorder: new LeaseRecorder(storage, { maxSize: 10 }, 'a delivery') };
}

describe('LeaseRecorder', () => {
  it('reports whether the lease was still held', async () => {
    const { recorder } = recorderOn((id) => (id === 'a' ? DONE : 'lost'));
    expect(await Promise.all([recorder.record(endOf('a')), recorder.record(endOf('b'))])).toEqual([DONE, undefined]);
  });

  it.each(['ECONNREFUSED', '57014', '25006', '40P01'])('retries while PostgreSQL cannot serve (%s)', async (code) => {
    let failures = 2;
    const { recorder } = recorderOn(() => (failures-- > 0 ? failure(code) : DONE));
    expect(await recorder.record(endOf('a'))).toBe(DONE);
  });

  it('gives up a result that can never be written', async () => {
    const { recorder } = recorderOn(() => failure('P0001'));
    await expect(recorder.record(endOf('a'))).rejects.toThrow('no');
  });

  it('retries for the full time when PostgreSQL goes away after a long lock', async () => {
    const passed = jest.spyOn(performance, 'now');
    const answers: (LeaseClose | Error)[] = ['locked', 'locked', failure('57P01'), failure('57P01'), 'locked', DONE];
    const { recorder } = recorderOn(() => {
      const answer = answers.shift() ?? DONE;
      const now = performance.now();
      if (answer === 'locked') passed.mockImplementation(() => now + 130_000);
      return answer;
    });
    expect(await recorder.record(endOf('a'))).toBe(DONE);
    expect(answers).toEqual([]);
    passed.mockRestore();
  });

  it('waits for a lock alongside the others, and writes at the first chance', async () => {
    const locked = new Set(['long', 'longer', 'short']);
    const { recorder, released } = recorderOn((id) => (locked.has(id) ? 'locked' : DONE));
    const long = recorder.record(endOf('long'));
    const longer = recorder.record(endOf('longer'));
    const short = recorder.record(endOf('short'));
    expect(await recorder.record(endOf('free'))).toBe(DONE);
    locked.delete('short');
    expect(await short).toBe(DONE);
    released.get('long')?.(DONE);
    expect(await long).toBe(DONE);
    released.get('longer')?.('lost');
    locked.delete('longer');
    await longer;
  });
});
