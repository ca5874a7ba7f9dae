import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { SLICE } from '../work/slices.js';
import { readBody } from './read-body.js';

/** A body that is all there, as a fast sender's is. */
function responseOf(pieces: readonly Buffer[], headers: IncomingMessage['headers'] = {}): IncomingMessage {
  return Object.assign(Readable.from(pieces, { objectMode: false }), { headers }) as unknown as IncomingMessage;
}

/** Number of turns of the event loop that others have meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    next = setImmediate(turn);
  });
  await work();
  clearImmediate(next);
  return turns;
}

describe('readBody', () => {
  const piece = Buffer.alloc(SLICE / 4, 'a');
  const read = (pieces: readonly Buffer[], maxBytes: number) => readBody(responseOf(pieces), maxBytes, () => undefined);

  it('leaves the event loop to others after each slice of a fast body', async () => {
    let size = 0;
    const turns = await turnsDuring(async () => {
      size = (await read(Array(40).fill(piece), 40 * piece.length)).length;
    });
    expect(size).toBe(40 * piece.length);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('leaves it to other bodies too', async () => {
    const turns = await turnsDuring(() =>
      Promise.all(Array.from({ length: 10 }, () => read(Array(4).fill(piece), 4 * piece.length))),
    );
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('refuses a body without an end at its limit', async () => {
    await expect(read(Array(40).fill(piece), 10 * piece.length)).rejects.toThrow('too long');
  });
});
