import fc from 'fast-check';
import { DotStuffing } from './dot-stuffing.js';

function stuffed(...pieces: Uint8Array[]): string {
  const stuffing = new DotStuffing();
  const sent = pieces.map((piece) => stuffing.next(Buffer.from(piece)));
  return Buffer.concat([...sent, stuffing.end()]).toString('latin1');
}

it.each([
  ['', '.\r\n'],
  ['a\r\n', 'a\r\n.\r\n'],
  ['a', 'a\r\n.\r\n'],
  ['.', '..\r\n.\r\n'],
  ['.\r\n.\r\n', '..\r\n..\r\n.\r\n'],
  ['a.b\r\n..\r\n', 'a.b\r\n...\r\n.\r\n'],
  ['a\n.\nb', 'a\r\n..\r\nb\r\n.\r\n'],
  ['a\r.\rb\r', 'a\r\n..\r\nb\r\n.\r\n'],
  ['\n', '\r\n.\r\n'],
])('%j is sent after DATA as %j', (message, sent) => {
  expect(stuffed(Buffer.from(message))).toBe(sent);
});

it('does not depend on the pieces of a message, ends once, and can be undone', () => {
  const bytes = fc.array(fc.constantFrom(...Buffer.from('\r\n.a')), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 5 }), (pieces) => {
      const sent = stuffed(...pieces.map((piece) => Uint8Array.from(piece)));
      expect(sent).toBe(stuffed(Uint8Array.from(pieces.flat())));
      expect(`\r\n${sent}`.indexOf('\r\n.\r\n')).toBe(sent.length - '.\r\n'.length);
      expect(sent).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
      const lines = Buffer.from(pieces.flat())
        .toString()
        .split(/\r\n|\r|\n/);
      if (lines.at(-1) === '') lines.pop();
      expect(
        sent
          .split('\r\n')
          .slice(0, -2)
          .map((line) => line.replace(/^\./, '')),
      ).toEqual(lines);
    }),
  );
});
