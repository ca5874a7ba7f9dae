import { inTurns, nextTurn, SLICE, type Sliced, turnToRead } from './slices.js';

/** Counts turns of the event loop until it is stopped. */
function turnCounter() {
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return { now: () => turns, stop: () => clearImmediate(next) };
}

describe('inTurns', () => {
  function* noting<T>(notes: T[], note: () => T, slices: number): Sliced<string> {
    for (let slice = 0; slice < slices; slice++) {
      if (slice > 0) yield;
      notes.push(note());
    }
    return 'done';
  }

  it('does the work of a single slice at once', async () => {
    const notes: number[] = [];
    const result = inTurns(noting(notes, () => 1, 1));
    expect(notes).toEqual([1]);
    await expect(result).resolves.toBe('done');
  });

  it('has one slice in each turn of the event loop, next to any other work', async () => {
    const turns = turnCounter();
    const notes: number[] = [];
    await nextTurn();
    const works = [5, 3, 4].map((slices) => inTurns(noting(notes, turns.now, slices)));
    await expect(Promise.all(works)).resolves.toEqual(['done', 'done', 'done']);
    turns.stop();
    const later = notes.slice(works.length);
    expect(later).toHaveLength(4 + 2 + 3);
    expect(new Set(later).size).toBe(later.length);
  });

  it('fails with the work, and others continue', async () => {
    function* failing(): Sliced<void> {
      yield;
      throw new Error('wrong');
    }
    const notes: number[] = [];
    const other = inTurns(noting(notes, () => 1, 3));
    await expect(inTurns(failing())).rejects.toThrow('wrong');
    await expect(other).resolves.toBe('done');
  });
});

describe('turnToRead', () => {
  it('limits the received bytes of a turn to a slice, for all readers together', async () => {
    const turns = turnCounter();
    await nextTurn();
    expect(turnToRead(SLICE / 2)).toBeUndefined();
    expect(turnToRead(SLICE / 2 - 1)).toBeUndefined();
    const noted: number[] = [];
    await Promise.all([1, 1].map((bytes) => turnToRead(bytes)?.then(() => noted.push(turns.now()))));
    turns.stop();
    expect(new Set(noted).size).toBe(2);
    await nextTurn();
    expect(turnToRead(1)).toBeUndefined();
  });
});
