import { randomBytes } from 'node:crypto';
import { fromBase32, toBase32 } from './base32.js';

describe('base32', () => {
  // RFC 4648 section 10.
  it.each([
    ['', ''],
    ['f', 'my'],
    ['fo', 'mzxq'],
    ['foo', 'mzxw6'],
    ['foob', 'mzxw6yq'],
    ['fooba', 'mzxw6ytb'],
    ['foobar', 'mzxw6ytboi'],
  ])('of %j is %j, in any letter case', (text, encoded) => {
    expect(toBase32(Buffer.from(text))).toBe(encoded);
    expect(fromBase32(encoded)?.toString()).toBe(text);
    expect(fromBase32(encoded.toUpperCase())?.toString()).toBe(text);
  });

  it('returns all bytes', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = randomBytes(length);
      expect(fromBase32(toBase32(bytes))).toEqual(bytes);
    }
  });

  it.each(['m', 'mz1w6', 'mzxw6=', 'mzxr', 'ſzxq', 'mz xw6', 'mzxw6y'])('has no bytes for %j', (text) => {
    expect(fromBase32(text)).toBeUndefined();
  });
});
