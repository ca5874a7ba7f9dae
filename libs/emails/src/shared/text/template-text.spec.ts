import { growth, LINEAR } from '../work/growth.spec-tools.js';
import { checkTemplate } from './template-text.js';

const invalid = (message: string | RegExp) =>
  expect.objectContaining({ statusCode: 422, name: 'validation_error', message: expect.stringMatching(message) });

describe('checkTemplate', () => {
  it.each([
    ['', []],
    ['no placeholder, { one brace }, and }} behind', []],
    ['{{A}}{{{B}}} {{ A }} {{{  C_1  }}}', ['A', 'B', 'C_1']],
    ['{{A}}}', ['A']],
    ['{{1}}{{007}}{{true}}{{else}}', ['1', '007', 'true', 'else']],
    [`{{${'a'.repeat(50)}}}`, ['a'.repeat(50)]],
  ])('of %j finds %j', (source, keys) => {
    expect(checkTemplate(source)).toEqual(keys);
  });

  it.each([
    '{{}}',
    '{{{}}}',
    '{{A',
    '{{A}',
    '{{{A}}',
    '{{{{A}}}}',
    '{{#if A}}x{{/if}}',
    '{{#each A}}{{this}}{{/each}}',
    '{{^A}}x{{/A}}',
    '{{> partial}}',
    '{{#> layout}}{{/layout}}',
    '{{* decorator}}',
    '{{! comment }}',
    '{{!-- comment --}}',
    '{{lookup A B}}',
    '{{A b=c}}',
    '{{(A)}}',
    '{{A.B}}',
    '{{../A}}',
    '{{./A}}',
    '{{this.A}}',
    '{{@root}}',
    '{{[A]}}',
    '{{"A"}}',
    '{{&A}}',
    '{{~A~}}',
    '{{-1}}',
    '{{Ä}}',
    '{{A\nB}}',
    '\\{{#A}}',
    `{{${'a'.repeat(51)}}}`,
  ])('refuses %j', (source) => {
    expect(() => checkTemplate(source)).toThrow(invalid(/^Line 1 /));
  });

  it('names the line', () => {
    expect(() => checkTemplate('a\nb {{A}}\r\nc {{#each}}')).toThrow(invalid(/^Line 3 /));
  });

  it('takes linear time for hostile templates', () => {
    const pieces = ['{', '}', '{{A}}', '{{ ', '{ {', ' ', '{{{A}} '];
    const hostile = (size: number) =>
      pieces.flatMap((piece) => ['', '{{'].map((start) => start + piece.repeat(size / piece.length)));
    // Made once for each size, since making them costs more than checking them.
    const made = new Map<number, string[]>();
    const check = (size: number) => {
      const sources = made.get(size) ?? hostile(size);
      made.set(size, sources);
      for (const source of sources) {
        try {
          checkTemplate(source);
        } catch {}
      }
    };
    expect(growth(check, 60_000)).toBeLessThan(LINEAR);
  });
});
