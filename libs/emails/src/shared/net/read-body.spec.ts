import { Readable } from 'node:stream';
import { readBody } from './read-body.js';

describe('readBody', () => {
  it('gives the memory of each piece back, and has all of them', async () => {
    const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(50_000, letter));
    const body = Buffer.concat(pieces);
    const response = Object.assign(Readable.from(pieces), { headers: { 'content-length': String(body.length) } });
    expect((await readBody(response as never, body.length, () => undefined)).equals(body)).toBe(true);
    expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0]);
  });
});
