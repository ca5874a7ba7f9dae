import { escapeHtml, fillTemplateText, readTemplateText } from './template-text';

describe('readTemplateText', () => {
  it('finds each variable once, with its first line', () => {
    const { keys, faults } = readTemplateText('{{ A }}\n{{{B_1}}} {{A}}\r\n{{c}}}');
    expect([...keys]).toEqual([
      ['A', 1],
      ['B_1', 2],
      ['c', 3],
    ]);
    expect(faults).toEqual([]);
  });

  it.each([
    ['a\nb {{NAME', 2, /^\{\{NAME is not closed: end it with \}\}$/],
    ['{{{NAME', 1, /end it with \}\}\}$/],
    ['\n\n{{first-name}}', 3, /^“first-name” is not a variable name/],
    ['{{#each items}}', 1, /Blocks, helpers, partials and comments/],
    ['{{ }}', 1, /no variable name/],
    ['{{{NAME}}', 1, /many braces on both sides/],
    [`{{${'x'.repeat(51)}}}`, 1, /^“x{40}…” is not a variable name/],
  ])('reports the problem of %j and its line', (source, line, message) => {
    expect(readTemplateText(source).faults).toEqual([{ line, message: expect.stringMatching(message) }]);
  });

  it('reports the problem of each line', () => {
    expect(readTemplateText('{{a b}}\n{{OK}}\n{{c d}}').faults.map(({ line }) => line)).toEqual([1, 3]);
  });
});

describe('fillTemplateText', () => {
  it('escapes only values in two braces', () => {
    const values = { A: '<b>', B: 2 };
    expect(fillTemplateText('{{A}} {{{A}}} {{ B }} {{C}}', values, escapeHtml)).toBe('&lt;b&gt; <b> 2 {{C}}');
    expect(fillTemplateText('{{A}}', values)).toBe('<b>');
  });

  it('does not expand placeholders in values', () => {
    expect(fillTemplateText('{{A}}', { A: '$& {{B}}', B: 'x' })).toBe('$& {{B}}');
    expect(fillTemplateText('{{constructor}}', {})).toBe('{{constructor}}');
  });
});
