import { SLICE } from '../work/slices.js';
import { inSlices } from './in-slices.js';

describe('inSlices', () => {
  it('returns the same bytes in pieces of 64 kB', async () => {
    const source = [Buffer.alloc(200_000, 'a'), Buffer.alloc(0), Buffer.from('b'), new Uint8Array(65_536).fill(0x63)];
    const pieces: Buffer[] = [];
    for await (const piece of inSlices(source)) pieces.push(piece);
    expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3_392, 1, 65_536]);
    expect(Buffer.concat(pieces).equals(Buffer.concat(source))).toBe(true);
  });

  it('has no more than a slice in a turn of the event loop', async () => {
    let inThisTurn = 0;
    let highest = 0;
    let next = setImmediate(function turn() {
      inThisTurn = 0;
      next = setImmediate(turn);
    });
    for await (const { length } of inSlices([Buffer.alloc(20 * SLICE)])) {
      inThisTurn += length;
      highest = Math.max(highest, inThisTurn);
    }
    clearImmediate(next);
    expect(highest).toBeLessThanOrEqual(2 * SLICE);
  });

  it('closes its source when its reader stops', async () => {
    let isOpen = true;
    async function* source() {
      try {
        for (;;) yield Buffer.from('a');
      } finally {
        isOpen = false;
      }
    }
    for await (const _ of inSlices(source())) break;
    expect(isOpen).toBe(false);
  });
});
