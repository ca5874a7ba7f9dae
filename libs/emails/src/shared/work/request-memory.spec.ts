import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MemoryShare, RequestMemory } from './request-memory.js';

const MB = 1_000_000;

describe('RequestMemory', () => {
  /** Lets it grow in pieces while room is granted at once. Returns the reached bytes. */
  function fill(share: MemoryShare, limit: number, piece = 60_000): number {
    let bytes = 0;
    while (bytes + piece <= limit && share.makeRoom(bytes + piece) === undefined) bytes += piece;
    return bytes;
  }

  it('grants 64 kB to every request, even when it is full', async () => {
    const memory = new RequestMemory({ medium: MB, large: MB });
    const all = memory.open('a', MB, true);
    expect(all.makeRoom(MB)).toBeUndefined();
    for (let count = 0; count < 1_000; count++) {
      expect(memory.open('b', 60 * MB).makeRoom(64_000)).toBeUndefined();
    }
    const more = memory.open('b', 60 * MB).makeRoom(64_001);
    all.close();
    await more;
  });

  it('counts the received part of an announced length', () => {
    const memory = new RequestMemory({ medium: 80 * MB, large: 80 * MB });
    for (let count = 0; count < 200; count++) expect(memory.open('a', MB, true).makeRoom(70_000)).toBeUndefined();
    for (const owner of ['b', 'c', 'd'])
      expect(fill(memory.open(owner, 40 * MB, true), 15 * MB)).toBeGreaterThan(14 * MB);
  });

  it('separates medium requests from large ones, also without an announced length', async () => {
    const memory = new RequestMemory({ medium: 10 * MB, large: 10 * MB });
    const large = memory.open('a', 10 * MB, true);
    await large.makeRoom(10 * MB);
    const unknown = memory.open('b', 8 * MB);
    expect(unknown.makeRoom(MB)).toBeUndefined();
    const moves = unknown.makeRoom(MB + 1);
    expect(moves).toBeInstanceOf(Promise);
    expect(memory.open('c', MB, true).makeRoom(MB)).toBeUndefined();
    large.close();
    await moves;
    expect(fill(unknown, 8 * MB)).toBeGreaterThan(7 * MB);
  });

  it('admits several requests of unknown length at the same time', async () => {
    const memory = new RequestMemory({ medium: 80 * MB, large: 60 * MB });
    const begin = async (owner: string, bytes: number) => {
      const share = memory.open(owner, 58 * MB);
      await share.makeRoom(MB + 1);
      expect(fill(share, bytes)).toBeGreaterThan(bytes - 100_000);
      return share;
    };
    for (const owner of ['a', 'b']) await begin(owner, 12 * MB);
    for (let count = 0; count < 5; count++) (await begin('c', 3 * MB)).close();
    await begin('d', 10 * MB);
  });

  it('makes a request above its claim give way to one within its claim that could not finish', async () => {
    const memory = new RequestMemory({ medium: 80 * MB, large: 60 * MB });
    const known = memory.open('a', 58 * MB, true);
    const unknown = memory.open('b', 58 * MB);
    await known.makeRoom(20 * MB);
    await unknown.makeRoom(34 * MB);
    const refusals: unknown[] = [];
    unknown.makeRoom(35 * MB)?.catch((refusal) => refusals.push(refusal));
    expect(known.makeRoom(26 * MB)).toBeUndefined();
    await nextTurn();
    expect(refusals).toEqual([]);
    const ends = known.makeRoom(58 * MB);
    await nextTurn();
    expect(refusals).toEqual([expect.objectContaining({ statusCode: 503 })]);
    unknown.close();
    await ends;
  });

  it('claims no more than the rest of the body', async () => {
    const memory = new RequestMemory({ medium: 80 * MB, large: 60 * MB });
    const wide = memory.open('a', 58 * MB, true);
    const other = memory.open('b', 58 * MB, true);
    expect(wide.makeRoom(12 * MB)).toBeUndefined();
    const waits = other.makeRoom(40 * MB);
    expect(waits).toBeInstanceOf(Promise);
    expect(wide.makeRoom(13 * MB, 20 * MB)).toBeUndefined();
    expect(memory.open('c', 2 * MB, true).makeRoom(2 * MB)).toBeUndefined();
    other.close();
    await expect(waits).rejects.toThrow();
  });

  it('refuses bytes above the limit', () => {
    const memory = new RequestMemory({ medium: 80 * MB, large: 60 * MB });
    const share = memory.open('a', 10 * MB);
    expect(() => share.makeRoom(10 * MB + 1)).toThrow(RangeError);
  });

  it('has all bytes free once all are closed', async () => {
    const memory = new RequestMemory({ medium: 10 * MB, large: 10 * MB });
    for (let count = 0; count < 20; count++) {
      const share = memory.open('a', 8 * MB, count % 2 === 0);
      for (const bytes of [MB / 2, MB, 2 * MB, 8 * MB]) await share.makeRoom(bytes);
      share.follow();
      share.unfollow();
      share.close();
      share.close();
    }
    expect(memory.open('b', 10 * MB, true).makeRoom(10 * MB)).toBeUndefined();
  });
});
