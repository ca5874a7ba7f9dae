import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { LineEnds } from './line-ends.js';

const wire = (text: string) => LineEnds.of(Buffer.from(text)).toString();

describe('LineEnds', () => {
  it.each([
    ['a\r\nb\r\n', 'a\r\nb\r\n'],
    ['a\nb', 'a\r\nb\r\n'],
    ['a\rb\r', 'a\r\nb\r\n'],
    ['\n\n.\r\r\n', '\r\n\r\n.\r\n\r\n'],
    ['', ''],
  ])('converts %j to %j', (text, expected) => {
    expect(wire(text)).toBe(expected);
  });

  const seed = Date.now() % 2 ** 31;
  const piece = fc.array(fc.constantFrom('\r', '\n', '.', 'a', '\r\n')).map((parts) => parts.join(''));

  it(`does so for any pieces of a stream (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const stream = LineEnds.through(Readable.from(pieces.map((text) => Buffer.from(text))));
        expect((await buffer(stream)).toString()).toBe(wire(pieces.join('')));
      }),
      { seed },
    );
  });

  it('closes its source when the reader stops, and fails when the source fails', async () => {
    const message = new Readable({ read: () => {} });
    LineEnds.through(message).destroy();
    await new Promise((closed) => message.once('close', closed));
    const failing = new Readable({ read: () => {} });
    const read = buffer(LineEnds.through(failing));
    failing.destroy(new Error('gone'));
    await expect(read).rejects.toThrow('gone');
  });
});
