import { growth, LINEAR } from '../work/growth.spec-tools.js';
import type { Sliced } from '../work/slices.js';
import { checkTemplate, TemplateText } from './template-text.js';

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

describe('TemplateText', () => {
  /** The result, and the number of slices before it. */
  const run = <T>(sliced: Sliced<T>): { result: T; slices: number } => {
    for (let slices = 0; ; slices++) {
      const next = sliced.next();
      if (next.done) return { result: next.value, slices };
    }
  };
  const parsed = (source: string) => run(TemplateText.of(source)).result;
  const filled = (source: string, ...values: string[]) => run(parsed(source).fill(values)).result;

  it('knows each key once, in order, with the number of its uses', () => {
    const { keys, uses } = parsed('{{B}} {{{A}}}{{ B }} {{{B}}}{{A}}{{B}}');
    expect(keys).toEqual([
      { key: 'B', raw: false },
      { key: 'A', raw: true },
      { key: 'B', raw: true },
      { key: 'A', raw: false },
    ]);
    expect(uses).toEqual([3, 1, 1, 1]);
  });

  it('counts the literal text in characters and bytes', () => {
    expect(parsed('ä{{A}}b{{{ A }}}').literal).toEqual({ length: 2, bytes: 3 });
    expect(parsed('').literal).toEqual({ length: 0, bytes: 0 });
  });

  it('weighs its text, its placeholders and its keys', () => {
    expect(parsed('x'.repeat(10)).weight).toBe(10);
    expect(parsed('{{A}}{{A}}{{B}}').weight).toBe(15 + 3 * 3 * 4 + 2 * 250);
  });

  it.each([
    ['no placeholder', [], 'no placeholder'],
    ['{{A}}, {{B}}: {{{A}}}', ['1', '2', '3'], '1, 2: 3'],
    ['a{{A}}b{{A}}c', ['-'], 'a-b-c'],
    ['{{A}}{{B}}', ['{{B}}', 'b'], '{{B}}b'],
    ['a{{A}}b', [], 'ab'],
  ])('fills %j with %j', (source, values, text) => {
    expect(filled(source, ...values)).toBe(text);
  });

  it('refuses what checkTemplate refuses', () => {
    expect(() => parsed('a\n{{#A}}')).toThrow(invalid(/^Line 2 /));
  });

  it('is read in slices of 65,536 characters', () => {
    const source = `${'x'.repeat(65_531)}{{A}}`;
    expect(run(TemplateText.of(source.slice(1))).slices).toBe(0);
    expect(run(TemplateText.of(source)).slices).toBe(1);
    expect(run(TemplateText.of(source + source)).slices).toBe(2);
  });

  it('is filled in slices of placeholders, and of characters', () => {
    const many = parsed('{{A}}'.repeat(10_000));
    expect(run(many.fill(['x']))).toEqual({ result: 'x'.repeat(10_000), slices: 2 });
    const long = run(many.fill(['y'.repeat(1_000)]));
    expect(long.result).toBe('y'.repeat(10_000_000));
    expect(long.slices).toBeGreaterThan(2);
  });
});
