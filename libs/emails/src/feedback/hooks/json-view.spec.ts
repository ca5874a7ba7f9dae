import { jest } from '@jest/globals';
import { JsonView } from './json-view.js';

describe('JsonView of unproven bytes', () => {
  const refusalOf = (text: string) => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      expect(() => JsonView.ofUnproven(Buffer.from(text))).toThrow(expect.objectContaining({ statusCode: 400 }));
      return parse.mock.calls.length;
    } finally {
      parse.mockRestore();
    }
  };

  it.each([
    ['brackets', '['.repeat(33) + ']'.repeat(33)],
    ['objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['small values', `[${'{},'.repeat(10_001)}1]`],
    ['texts', `["${'a","'.repeat(20_001)}a"]`],
  ])('parses nothing with many %s', (_, text) => {
    expect(refusalOf(text)).toBe(0);
    expect(JSON.parse(text)).toBeDefined();
  });

  it('reads 32 levels and 20,000 values', () => {
    expect(JsonView.ofUnproven(Buffer.from('['.repeat(32) + ']'.repeat(32))).isList).toBe(true);
    expect(JsonView.ofUnproven(Buffer.from(`[${'1,'.repeat(19_000)}1]`)).items).toHaveLength(19_001);
  });

  it('leaves the bytes as they are: signatures cover them', () => {
    const text = '{"a":[{"content":[1,2,3]}]}';
    const bytes = Buffer.from(text);
    expect(JsonView.ofUnproven(bytes).at('a').items[0]?.at('content').items[2]?.text).toBe('3');
    expect(bytes.toString()).toBe(text);
  });

  it.each(['', '{', '"a', '[1', 'a'])('refuses %j, which is not JSON', (text) => {
    expect(() => JsonView.ofUnproven(Buffer.from(text))).toThrow(expect.objectContaining({ statusCode: 400 }));
  });
});
