import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { readBody } from './read-body.js';

describe('readBody', () => {
  it.each([
    ['gives the memory of each piece back, and has all of them', new Socket(), [0, 0, 0]],
    ['leaves alone pieces that did not come from the network', undefined, [50_000, 50_000, 50_000]],
  ])('%s', async (_what, socket, left) => {
    const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(50_000, letter));
    const body = Buffer.concat(pieces);
    const headers = { 'content-length': String(body.length) };
    const response = Object.assign(Readable.from(pieces), { headers, socket });
    expect((await readBody(response as never, body.length, () => undefined)).equals(body)).toBe(true);
    expect(pieces.map(({ length }) => length)).toEqual(left);
  });
});
