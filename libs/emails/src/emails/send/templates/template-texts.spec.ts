import { TemplateText } from '../../../shared/text/template-text.js';
import { TemplateTexts } from './template-texts.js';

/** Long enough to be parsed in slices. */
const long = (name: string) => `{{${name}}} `.repeat(20_000);

describe('TemplateTexts', () => {
  it('parses a text once for concurrent callers', async () => {
    const texts = new TemplateTexts();
    for (const source of ['short {{A}}', long('A')]) {
      const [first, ...others] = await Promise.all([0, 1, 2].map(() => texts.get(`${source}`, 'a')));
      for (const other of [...others, await texts.get(source, 'b')]) expect(other).toBe(first);
    }
  });

  it('keeps the most recently used texts, up to a limit in bytes', async () => {
    const sources = ['A', 'B', 'C'].map(long);
    const { weight } = await new TemplateTexts().get(long('A'), 'a');
    const texts = new TemplateTexts(2.5 * weight);
    const get = (at: number) => texts.get(sources[at] ?? '', 'a');
    const [first, second] = [await get(0), await get(1)];
    expect(await get(0)).toBe(first);
    await get(2);
    expect(await get(0)).toBe(first);
    expect(await get(1)).not.toBe(second);
  });

  it('does not cache an invalid template', async () => {
    const texts = new TemplateTexts();
    for (const source of ['{{#if A}}', `${long('A')}{{#if A}}`]) {
      for (const _ of [1, 2]) await expect(async () => texts.get(source, 'a')).rejects.toThrow(/^Line 1 /);
    }
    expect(await texts.get(long('A'), 'a')).toBeInstanceOf(TemplateText);
  });

  it('limits the large texts of an account that wait to be parsed', async () => {
    const texts = new TemplateTexts();
    const large = (at: number) => `{{K${at}}}`.repeat(120_000);
    const asked = Array.from({ length: 40 }, async (_, at) => texts.get(large(at), 'a'));
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
    expect(await texts.get(large(0), 'b')).toBeInstanceOf(TemplateText);
  });
});
