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
  ])('makes of %j %j', (text, expected) => {
    expect(wire(text)).toBe(expected);
  });

  const seed = Date.now() % 2 ** 31;
  const piece = fc.array(fc.constantFrom('\r', '\n', '.', 'a', '\r\n')).map((parts) => parts.join(''));

  it(`does so wherever a stream is broken (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const stream = LineEnds.through(Readable.from(pieces.map((text) => Buffer.from(text))));
        expect((await buffer(stream)).toString()).toBe(wire(pieces.join('')));
      }),
      { seed },
    );
  });

  it('lets go of a stream that nobody reads on, and fails with one that does', async () => {
    const message = new Readable({ read: () => {} });
    LineEnds.through(message).destroy();
    await new Promise((closed) => message.once('close', closed));
    const failing = new Readable({ read: () => {} });
    const read = buffer(LineEnds.through(failing));
    failing.destroy(new Error('gone'));
    await expect(read).rejects.toThrow('gone');
  });
});
