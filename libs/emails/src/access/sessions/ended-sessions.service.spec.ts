import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { EndedSessionsService } from './ended-sessions.service.js';

function setUp() {
  const rows = new Set<string>();
  const ask = jest.fn(async (_: string, [id]: string[]) => (rows.has(id ?? '') ? [{}] : []));
  const dataSource = {
    query: async (_: string, [id]: string[]) => void rows.add(id ?? ''),
    createQueryRunner: () => ({ manager: { query: ask }, release: async () => {} }),
  };
  return { rows, ask, ended: new EndedSessionsService(dataSource as unknown as DataSource) };
}

describe('EndedSessionsService', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('knows at once, in spite of its cache, that a session was ended here', async () => {
    const { ended } = setUp();
    expect(await ended.has('one')).toBe(false);
    await ended.end('one', new Date());
    expect([await ended.has('one'), await ended.has('other')]).toEqual([true, false]);
  });

  it('learns within half a second that another process ended a session, and asks no more often', async () => {
    jest.useFakeTimers();
    const { rows, ask, ended } = setUp();
    for (let times = 0; times < 10; times += 1) expect(await ended.has('one')).toBe(false);
    expect(ask).toHaveBeenCalledTimes(1);
    rows.add('one');
    jest.advanceTimersByTime(500);
    expect(await ended.has('one')).toBe(true);
  });
});
