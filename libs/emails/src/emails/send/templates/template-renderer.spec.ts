import fc from 'fast-check';
import type { PublishedTemplate, TemplateVariable } from '../../ports/template-source.js';
import { renderTemplate } from './template-renderer.js';

const invalid = (message: string | RegExp) =>
  expect.objectContaining({ statusCode: 422, name: 'validation_error', message: expect.stringMatching(message) });

function template(texts: Partial<PublishedTemplate>, ...variables: TemplateVariable[]): PublishedTemplate {
  return { from: null, subject: null, replyTo: [], html: null, text: null, variables, ...texts };
}

const variable = (key: string, fallback: string | number | null = null, type: 'string' | 'number' = 'string') => ({
  key,
  type,
  fallback,
});

describe('renderTemplate', () => {
  it('escapes in html and nowhere else', () => {
    const text = '{{A}} {{{A}}}';
    expect(renderTemplate(template({ subject: text, html: text, text }), { A: `<b a='1' b="\`">&` })).toEqual({
      subject: `<b a='1' b="\`">& <b a='1' b="\`">&`,
      html: `&lt;b a&#x3D;&#x27;1&#x27; b&#x3D;&quot;&#x60;&quot;&gt;&amp; <b a='1' b="\`">&`,
      text: `<b a='1' b="\`">& <b a='1' b="\`">&`,
    });
  });

  it('keeps what is absent absent', () => {
    expect(renderTemplate(template({}), {})).toEqual({ subject: null, html: null, text: null });
  });

  it('uses a fallback for what is not given, and only then', () => {
    const { text } = renderTemplate(
      template(
        { text: '{{A}}{{B}}{{C}}{{D}}' },
        variable('A', 'a'),
        variable('B', ''),
        variable('C', 0, 'number'),
        variable('D', 'd'),
      ),
      { D: '' },
    );
    expect(text).toBe('a0');
  });

  it('writes numbers as they are', () => {
    expect(
      renderTemplate(template({ text: '{{A}} {{B}}' }, variable('A', null, 'number')), { A: -1.5, B: 1e6 }).text,
    ).toBe('-1.5 1000000');
  });

  it('does not read a value as a template or as a replacement pattern', () => {
    expect(renderTemplate(template({ text: '{{A}}|{{{A}}}' }), { A: '{{B}} $& $1' }).text).toBe(
      '{{B}} $& $1|{{B}} $& $1',
    );
  });

  it('ignores variables that the template does not know', () => {
    expect(renderTemplate(template({ text: 'x' }), { A: 'a' }).text).toBe('x');
  });

  it.each([
    ['declared', template({}, variable('ORDER_ID'))],
    ['used but not declared', template({ text: '{{ORDER_ID}}' })],
    ['used raw', template({ html: '{{{ORDER_ID}}}' })],
    ['used in the subject', template({ subject: '{{ORDER_ID}}' })],
  ])('names a missing variable that is %s', (_where, source) => {
    expect(() => renderTemplate(source, {})).toThrow(invalid(/`ORDER_ID` is missing/));
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'has no value for %s unless given',
    (key) => {
      const source = template({ text: `{{${key}}}` });
      expect(() => renderTemplate(source, {})).toThrow(invalid(/is missing/));
      expect(() => renderTemplate(template({}, variable(key)), {})).toThrow(invalid(/is missing/));
      expect(renderTemplate(source, JSON.parse(`{"${key}": "given"}`)).text).toBe('given');
    },
  );

  it('refuses a text for a number', () => {
    expect(() => renderTemplate(template({}, variable('A', 1, 'number')), { A: '2' })).toThrow(
      invalid(/`A` must be a number/),
    );
  });

  it.each(['\n', '\r', '\r\nBcc: a@b.c', '\0', '\t', '\x7f', '\x85'])('refuses %j in a subject', (value) => {
    expect(() => renderTemplate(template({ subject: 'a {{A}}' }), { A: value })).toThrow(invalid(/subject/));
    expect(renderTemplate(template({ subject: 'a', text: '{{A}}' }), { A: value }).text).toBe(value);
  });

  it('does not grow without end', () => {
    const source = template({ html: '{{A}}'.repeat(3_000), text: '{{A}}'.repeat(3_000) });
    expect(() => renderTemplate(source, { A: 'x'.repeat(2_000) })).toThrow(invalid(/longer than 10000000 characters/));
  });

  it('leaves every text without `{{` as it is, and every value too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, value) => {
        fc.pre(!before.includes('{{'));
        const text = `${before}\n{{{A}}}\n${before}`;
        expect(renderTemplate(template({ html: text, text }), { A: value })).toMatchObject({
          html: `${before}\n${value}\n${before}`,
          text: `${before}\n${value}\n${before}`,
        });
      }),
    );
  });
});
