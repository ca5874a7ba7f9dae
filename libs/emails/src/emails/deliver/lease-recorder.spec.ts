import { jest } from '@jest/globals';
import type { LeaseEnd, LeaseWrite } from '../storage/delivery.repository.js';
import { LeaseRecorder } from './lease-recorder.js';

const endOf = (id: string) => ({ id, fence: 1 }) as LeaseEnd;
const failure = (code: string) => Object.assign(new Error('no'), { code });

/** A recorder on a storage in which some emails are locked, or writing fails. */
function recorderOn(write: (id: string) => LeaseWrite | Error) {
  const released = new Map<string, (written: LeaseWrite) => void>();
  const storage = {
    close: async (ends: readonly LeaseEnd[]) =>
      ends.map(({ id }) => {
        const written = write(id);
        if (written instanceof Error) throw written;
        return written;
      }),
    closeLocked: ({ id }: LeaseEnd) => new Promise<LeaseWrite>((resolve) => released.set(id, resolve)),
  };
  return { released, recorder: new LeaseRecorder(storage, { maxSize: 10 }) };
}

describe('LeaseRecorder', () => {
  it('says whether the lease still held', async () => {
    const { recorder } = recorderOn((id) => (id === 'a' ? 'done' : 'lost'));
    expect(await Promise.all([recorder.record(endOf('a')), recorder.record(endOf('b'))])).toEqual([true, false]);
  });

  it.each(['ECONNREFUSED', '57014', '25006', '40P01'])('insists while PostgreSQL cannot serve (%s)', async (code) => {
    let failures = 2;
    const { recorder } = recorderOn(() => (failures-- > 0 ? failure(code) : 'done'));
    expect(await recorder.record(endOf('a'))).toBe(true);
  });

  it('gives up what can never be written', async () => {
    const { recorder } = recorderOn(() => failure('P0001'));
    await expect(recorder.record(endOf('a'))).rejects.toThrow('no');
  });

  it('insists as long as ever when PostgreSQL goes away after a long lock', async () => {
    const passed = jest.spyOn(performance, 'now');
    const answers: (LeaseWrite | Error)[] = ['locked', 'locked', failure('57P01'), failure('57P01'), 'locked', 'done'];
    const { recorder } = recorderOn(() => {
      const answer = answers.shift() ?? 'done';
      const now = performance.now();
      if (answer === 'locked') passed.mockImplementation(() => now + 130_000);
      return answer;
    });
    expect(await recorder.record(endOf('a'))).toBe(true);
    expect(answers).toEqual([]);
    passed.mockRestore();
  });

  it('waits for a lock beside the others, and takes what comes first: the lock, or a time without it', async () => {
    const locked = new Set(['long', 'longer', 'short']);
    const { recorder, released } = recorderOn((id) => (locked.has(id) ? 'locked' : 'done'));
    const long = recorder.record(endOf('long'));
    const longer = recorder.record(endOf('longer'));
    const short = recorder.record(endOf('short'));
    expect(await recorder.record(endOf('free'))).toBe(true);
    locked.delete('short');
    expect(await short).toBe(true);
    released.get('long')?.('done');
    expect(await long).toBe(true);
    released.get('longer')?.('lost');
    locked.delete('longer');
    await longer;
  });
});
