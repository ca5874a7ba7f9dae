import { checkJson } from './json-rules.js';

const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;

describe('checkJson', () => {
  it('accepts 32 levels and refuses the 33rd, at any further depth', () => {
    expect(() => checkJson(nested(32))).not.toThrow();
    expect(() => checkJson(nested(33))).toThrow('deeper than 32');
    expect(() => checkJson(nested(50_000))).toThrow('deeper than 32');
  });

  it.each([
    ['NUL', { subject: 'a\0b' }, '`subject`'],
    ['a lone surrogate', { tags: [{ name: '\ud800' }] }, '`tags[0].name`'],
    ['NUL in a key', { headers: { 'a\0': 'b' } }, '`headers`'],
    ['NUL below a key that may be an address', { 'a@b.test': 'a\0' }, 'A part of the request body contains NUL'],
  ])('refuses %s, and names its position', (_, body, path) => {
    expect(() => checkJson(body)).toThrow(path);
  });

  it('refuses __proto__ as a key at any depth', () => {
    expect(() => checkJson(JSON.parse('{"headers": {"__proto__": {"a": 1}}}'))).toThrow('not a field');
  });
});
