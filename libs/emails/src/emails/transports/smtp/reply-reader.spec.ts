import fc from 'fast-check';
import { ReplyReader } from './reply-reader.js';

/** Reads the text in pieces of `size` bytes. */
function read(text: string | Buffer, size = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text);
  const reader = new ReplyReader();
  const replies = [];
  for (let from = 0; from < bytes.length; from += size) replies.push(...reader.read(bytes.subarray(from, from + size)));
  return { replies, unfinished: reader.unfinished };
}

it.each<[string, [number, string][], string]>([
  ['250 ok\r\n', [[250, '250 ok']], ''],
  ['250\r\n', [[250, '250']], ''],
  ['250 ok\n', [[250, '250 ok']], ''],
  ['250-one\r\n250-\r\n250 two\r\n', [[250, '250-one\n250-\n250 two']], ''],
  [
    '250 ok\r\n354 go\r\n55',
    [
      [250, '250 ok'],
      [354, '354 go'],
    ],
    '55',
  ],
  ['250-one\r\n25', [], '250-one\n25'],
  ['\r\n \r\n250 ok\r\n', [[250, '250 ok']], ''],
  ['250 grüß\r\n', [[250, '250 grüß']], ''],
  ['250 a\rb\r\n', [[250, '250 a\rb']], ''],
])('%j', (text, replies, unfinished) => {
  const expected = { replies: replies.map(([code, said]) => ({ code, text: said })), unfinished };
  for (const size of [1, 2, 3, 1_000]) expect(read(text, size)).toEqual(expected);
});

it.each([
  'huh',
  '25',
  '2500 x',
  '2x0 x',
  '199 x',
  '600 x',
  '000 x',
  '-250',
  '250x',
  '250-one\r\n251 two',
  '250-one\r\n\r\n250 x',
])('%j is no reply', (text) => {
  expect(read(`${text}\r\n`).replies).toMatchObject([{ code: 0 }]);
});

it('keeps bytes that are not UTF-8 unchanged', () => {
  expect(read(Buffer.from('250 gr\xfc\xdf\r\n', 'latin1')).replies).toEqual([{ code: 250, text: '250 grüß' }]);
});

it.each([
  ['in one line', () => 'x'.repeat(65_536)],
  ['in many', (n: number) => `${n === 0 ? '' : '\r\n'}250-${'x'.repeat(65_000)}`],
  ['in lines with nothing on them', () => '\r\n'.repeat(65_536)],
])('gives up a reply without an end, %s', (_, more) => {
  const reader = new ReplyReader();
  let pieces = 0;
  while (reader.read(Buffer.from(more(pieces))).length === 0 && pieces < 100) pieces++;
  expect(pieces).toBeLessThanOrEqual(17);
});

it('does not depend on the pieces, and never fails', () => {
  const bytes = fc.array(fc.constantFrom(...Buffer.from('\r\n- 2505\xfc')), { maxLength: 60 });
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 9 }), (text, size) => {
      const whole = read(Buffer.from(text)).replies;
      const end = whole.findIndex(({ code }) => code === 0);
      const sure = end < 0 ? whole : whole.slice(0, end);
      expect(read(Buffer.from(text), size).replies.slice(0, sure.length)).toEqual(sure);
    }),
  );
});
