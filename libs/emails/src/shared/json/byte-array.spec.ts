import fc from 'fast-check';
import { GrowingBytes } from '../bytes/growing-bytes.js';
import { ByteArray } from './byte-array.js';

const ARRAY = /^\[[ \n\r\t]*(?:BYTE[ \n\r\t]*,[ \n\r\t]*)*BYTE[ \n\r\t]*\]/.source.replaceAll(
  'BYTE',
  '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])',
);

/** Reads the text in pieces of these sizes, in turn. Up to `few` bytes it may turn out to be another array. */
function read(text: string, sizes: readonly number[], few: number) {
  const body = new GrowingBytes(10_000);
  const array = new ByteArray(body, few);
  body.add(Buffer.from('{"content":['));
  array.begin(11);
  for (let at = 1, turn = 0; at < text.length; turn++) {
    const piece = text.slice(at, at + (sizes[turn % sizes.length] ?? 1));
    at += piece.length;
    body.add(Buffer.from(piece));
    const state = array.read(body.size);
    if (state === 'open') continue;
    const left = body.bytes.subarray(array.at).toString() + text.slice(at);
    return { state, bytes: [...body.bytes.subarray(array.start, array.start + array.count)], left, body };
  }
  return { state: 'open', bytes: [], left: '', body };
}

describe('ByteArray', () => {
  const space = fc.constantFrom('', '', '', ' ', '\n ', '\t\r');
  const number = fc.oneof(
    { weight: 30, arbitrary: fc.nat(255).map(String) },
    fc.constantFrom('256', '999', '-1', '00', '01', '1.5', '1e2', '"1"', '[1]', 'null', '', '1 2', '0 0', '١', '+1'),
  );
  const spelt = fc.tuple(space, number, space).map((parts) => parts.join(''));
  const text = fc
    .tuple(fc.array(spelt, { minLength: 1, maxLength: 30 }), fc.constantFrom(']', ']', '],"a":[1]}', '', ',]', '}'))
    .map(([numbers, end]) => `[${numbers.join(',')}${end}`);
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

  it('decodes any array of bytes from any pieces, and leaves other arrays unchanged', () => {
    fc.assert(
      fc.property(text, sizes, fc.integer({ min: 1, max: 20 }), (json, pieces, few) => {
        const { state, bytes, left, body } = read(json, pieces, few);
        const [match] = new RegExp(ARRAY).exec(json) ?? [];
        if (match !== undefined) {
          expect({ state, bytes, left }).toEqual({
            state: 'whole',
            bytes: JSON.parse(match),
            left: json.slice(match.length),
          });
        } else {
          expect(state).not.toBe('whole');
          const kept = body.bytes.subarray(11).toString();
          if (json.split(',').length <= few) expect(json.startsWith(kept)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps only its bytes, for any spelling', () => {
    const body = new GrowingBytes(1_000);
    const array = new ByteArray(body, 10);
    body.add(Buffer.from('['));
    array.begin(0);
    for (let count = 0; count < 500; count++) {
      body.add(Buffer.from(' 255\n ,'));
      expect(array.read(body.size)).toBe('open');
      expect(body.size).toBeLessThanOrEqual(Math.max(100, count + 10));
    }
    body.add(Buffer.from('7]x'));
    expect(array.read(body.size)).toBe('whole');
    expect([array.count, body.size]).toEqual([501, 502]);
  });
});
