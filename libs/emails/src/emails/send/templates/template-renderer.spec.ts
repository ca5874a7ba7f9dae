import fc from 'fast-check';
import { TemplateText } from '../../../shared/text/template-text.js';
import { inTurns } from '../../../shared/work/slices.js';
import type { PublishedTemplate, TemplateVariable } from '../../ports/template-source.js';
import { FilledTemplate, parseTemplate, type TemplateValues } from './template-renderer.js';

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

async function fill(source: PublishedTemplate, values: TemplateValues): Promise<FilledTemplate> {
  return new FilledTemplate(await parseTemplate(source, (text) => inTurns(TemplateText.of(text))), values);
}

const render = async (source: PublishedTemplate, values: TemplateValues) => (await fill(source, values)).render();

describe('FilledTemplate', () => {
  it('escapes in html and nowhere else', async () => {
    const text = '{{A}} {{{A}}}';
    expect(await render(template({ subject: text, html: text, text }), { A: `<b a='1' b="\`">&` })).toEqual({
      subject: `<b a='1' b="\`">& <b a='1' b="\`">&`,
      html: `&lt;b a&#x3D;&#x27;1&#x27; b&#x3D;&quot;&#x60;&quot;&gt;&amp; <b a='1' b="\`">&`,
      text: `<b a='1' b="\`">& <b a='1' b="\`">&`,
    });
  });

  it('keeps absent parts absent', async () => {
    expect(await render(template({}), {})).toEqual({ subject: null, html: null, text: null });
  });

  it('uses a fallback only for a missing value', async () => {
    const { text } = await render(
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

  it('writes numbers unchanged', async () => {
    expect(
      await render(template({ text: '{{A}} {{B}}' }, variable('A', null, 'number')), { A: -1.5, B: 1e6 }),
    ).toMatchObject({ text: '-1.5 1000000' });
  });

  it('does not read a value as a template or as a replacement pattern', async () => {
    expect(await render(template({ text: '{{A}}|{{{A}}}' }), { A: '{{B}} $& $1' })).toMatchObject({
      text: '{{B}} $& $1|{{B}} $& $1',
    });
  });

  it('ignores undeclared variables', async () => {
    expect(await render(template({ text: 'x' }), { A: 'a' })).toMatchObject({ text: 'x' });
  });

  it.each([
    ['declared', template({}, variable('ORDER_ID'))],
    ['used but not declared', template({ text: '{{ORDER_ID}}' })],
    ['used raw', template({ html: '{{{ORDER_ID}}}' })],
    ['used in the subject', template({ subject: '{{ORDER_ID}}' })],
  ])('names a missing variable that is %s', async (_where, source) => {
    await expect(fill(source, {})).rejects.toEqual(invalid(/`ORDER_ID` is missing/));
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'has no value for %s unless given',
    async (key) => {
      const source = template({ text: `{{${key}}}` });
      await expect(fill(source, {})).rejects.toEqual(invalid(/is missing/));
      await expect(fill(template({}, variable(key)), {})).rejects.toEqual(invalid(/is missing/));
      expect(await render(source, JSON.parse(`{"${key}": "given"}`))).toMatchObject({ text: 'given' });
    },
  );

  it('refuses a text for a number', async () => {
    await expect(fill(template({}, variable('A', 1, 'number')), { A: '2' })).rejects.toEqual(
      invalid(/`A` must be a number/),
    );
  });

  it.each(['\n', '\r', '\r\nBcc: a@b.c', '\0', '\t', '\x7f', '\x85'])('refuses %j in a subject', async (value) => {
    await expect(render(template({ subject: 'a {{A}}' }), { A: value })).rejects.toEqual(invalid(/subject/));
    expect(await render(template({ subject: 'a', text: '{{A}}' }), { A: value })).toMatchObject({ text: value });
  });

  it('bounds its size', async () => {
    const source = template({ html: '{{A}}'.repeat(3_000), text: '{{A}}'.repeat(3_000) });
    await expect(fill(source, { A: 'x'.repeat(2_000) })).rejects.toEqual(invalid(/longer than 10000000 characters/));
  });

  it('knows its length before rendering', async () => {
    const values = { A: `<'é漢📬'>`, B: '' };
    for (const text of ['', 'ü', '{{A}}', 'a{{{A}}}é{{A}}{{B}}漢 {{ A }}{{A}}'.repeat(1_000)]) {
      const filled = await fill(template({ subject: 'é', html: text, text }), values);
      const { subject, html, text: plain } = await filled.render();
      expect(filled.bytes).toBe(Buffer.byteLength(`${subject}${html}${plain}`));
    }
  });

  it('renders 140,000 placeholders in slices', async () => {
    const source = template({ html: '{{A}} '.repeat(140_000) });
    let turns = 0;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const { html } = await render(source, { A: 'x' });
    clearImmediate(next);
    expect(html).toBe('x '.repeat(140_000));
    // Parsing takes 65,536 characters at a time, and filling 4,096 placeholders at a time.
    expect(turns).toBeGreaterThan(Math.floor(840_000 / 65_536) + Math.floor(140_000 / 4_096) - 2);
  });

  it('keeps every text without `{{`, and every value, unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), async (before, value) => {
        fc.pre(!before.includes('{{'));
        const text = `${before}\n{{{A}}}\n${before}`;
        expect(await render(template({ html: text, text }), { A: value })).toMatchObject({
          html: `${before}\n${value}\n${before}`,
          text: `${before}\n${value}\n${before}`,
        });
      }),
    );
  });
});
