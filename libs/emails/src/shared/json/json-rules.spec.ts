import { checkJson } from './json-rules.js';

const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;

describe('checkJson', () => {
  it('takes 32 levels and refuses the 33rd, however deep it goes on', () => {
    expect(() => checkJson(nested(32))).not.toThrow();
    expect(() => checkJson(nested(33))).toThrow('deeper than 32');
    expect(() => checkJson(nested(50_000))).toThrow('deeper than 32');
  });

  it.each([
    ['NUL', { subject: 'a\0b' }, '`subject`'],
    ['a lone surrogate', { tags: [{ name: '\ud800' }] }, '`tags[0].name`'],
    ['NUL in a key', { headers: { 'a\0': 'b' } }, '`headers`'],
    ['NUL below what may be an address', { 'a@b.test': 'a\0' }, 'A part of the request body contains NUL'],
  ])('refuses %s, naming the place', (_, body, place) => {
    expect(() => checkJson(body)).toThrow(place);
  });

  it('refuses __proto__ as a key at any depth', () => {
    expect(() => checkJson(JSON.parse('{"headers": {"__proto__": {"a": 1}}}'))).toThrow('not a field');
  });
});
