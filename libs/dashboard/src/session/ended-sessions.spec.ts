import { EndedSessions } from './ended-sessions.js';

const session = (id: string, endsAt = Date.now() + 3_600_000) => ({ sessionId: id, endsAt });

describe('EndedSessions', () => {
  it('are stored by a `KeyIdentifier` with that ability', async () => {
    const ended = new Map<string, Date>();
    const keys = {
      endSession: async (id: string, endsAt: Date) => void ended.set(id, endsAt),
      isSessionEnded: async (id: string) => ended.has(id),
    };
    const one = session('one');
    await new EndedSessions(keys).add(one);
    expect(ended).toEqual(new Map([['one', new Date(one.endsAt)]]));
    expect(await new EndedSessions(keys).has(one)).toBe(true);
    expect(await new EndedSessions(keys).has(session('other'))).toBe(false);
  });

  it('are otherwise stored in this process, until they would expire, up to 10,000', async () => {
    const ended = new EndedSessions({});
    await ended.add(session('over', Date.now() - 1));
    await ended.add(session('one'));
    expect(await Promise.all(['over', 'one', 'other'].map((id) => ended.has(session(id))))).toEqual([
      false,
      true,
      false,
    ]);
    for (let number = 0; number < 10_000; number += 1) await ended.add(session(String(number)));
    expect(await Promise.all(['one', '0', '9999'].map((id) => ended.has(session(id))))).toEqual([false, true, true]);
  });

  it('are an error while they cannot be read or written', async () => {
    const refusal = new Error('503');
    const away = new EndedSessions({
      endSession: () => Promise.reject(refusal),
      isSessionEnded: () => Promise.reject(refusal),
    });
    await expect(away.add(session('one'))).rejects.toBe(refusal);
    await expect(away.has(session('one'))).rejects.toBe(refusal);
  });
});
