import { NetworkTurns } from './network-turns.js';

const BUSY = { name: 'ReportThreadBusy' };

/** Tasks that last until `ends` are called. */
function slow() {
  const ends: (() => void)[] = [];
  return { ends, task: () => new Promise<void>((resolve) => void ends.push(resolve)) };
}

describe('NetworkTurns', () => {
  it('runs two tasks of a network at once, refuses a third, and delays no other network', async () => {
    const turns = new NetworkTurns(20);
    const { ends, task } = slow();
    const both = [turns.run('a', task), turns.run('a', task)];
    await expect(turns.run('a', task)).rejects.toMatchObject(BUSY);
    expect(await turns.run('b', async () => 'other')).toBe('other');
    expect(ends).toHaveLength(2);
    for (const end of ends) end();
    await Promise.all(both);
    expect(await turns.run('a', async () => 'again')).toBe('again');
  });

  it('runs the third when another of its network ends in time, also by an error', async () => {
    const turns = new NetworkTurns(10_000);
    const { ends, task } = slow();
    const first = turns.run('a', task);
    const failed = turns.run('a', () => Promise.reject(new Error('unreadable')));
    const third = turns.run('a', async () => 'done');
    await expect(failed).rejects.toThrow('unreadable');
    expect(await third).toBe('done');
    ends[0]?.();
    await first;
  });
});
