import MailComposer from 'nodemailer/lib/mail-composer';
import { SLICE } from '../../shared/work/slices.js';
import { attachmentPartSize, largestAttachment, textPartSize as slicedSize, textSize } from './message-size.js';

/** The last step of a generator. */
const textPartSize = (text: string) => {
  const work = slicedSize(text);
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
};
const build = async (mail: object) => (await new MailComposer({ from: 'a@b.test', ...mail }).compile().build()).length;

describe('the size of a part', () => {
  it.each([
    ['plain', 'Hello, world.\r\n'.repeat(2_000)],
    ['in one line', 'x'.repeat(50_000)],
    ['with umlauts', 'Grüße aus Köln. '.repeat(3_000)],
    ['with signs that are escaped', '<a href="a=b">=</a>'.repeat(3_000)],
    ['without Latin letters', '漢字📬 '.repeat(5_000)],
    ['half and half', 'aé'.repeat(20_000)],
  ])('of a text %s is its size on the wire, within five percent', async (_, text) => {
    const size = await build({ text });
    expect(textPartSize(text)).toBeGreaterThanOrEqual(size * 0.95);
    expect(textPartSize(text)).toBeLessThanOrEqual(size * 1.05 + 400);
  });

  it.each(['', 'Hello', '='.repeat(10_000), '漢'.repeat(10_000)])(
    'of a short text is not below its size on the wire',
    async (text) => {
      expect(textPartSize(text)).toBeGreaterThanOrEqual((await build({ text })) - (await build({})));
    },
  );

  it.each([0, 1, 57, 58, 100_000])('of an attachment of %d bytes is its size on the wire', async (bytes) => {
    for (const filename of ['a.bin', `${'ä'.repeat(250)}.bin`]) {
      const attachments = [{ filename, content: Buffer.alloc(bytes) }];
      const size = (await build({ text: 'a', attachments })) - (await build({ text: 'a' }));
      expect(attachmentPartSize(bytes, filename)).toBeGreaterThanOrEqual(size - 300);
      expect(attachmentPartSize(bytes, filename)).toBeLessThanOrEqual(size + 600);
    }
  });

  it('fits the largest attachment', () => {
    for (const size of [1_000, 300_000, 40_000_000]) {
      const largest = largestAttachment(size);
      expect(attachmentPartSize(largest, null)).toBeLessThanOrEqual(size);
      expect(attachmentPartSize(largest + 100, null)).toBeGreaterThan(size);
    }
    expect(largestAttachment(0)).toBeLessThan(0);
  });

  it('of a long text is the same in slices as at once', async () => {
    const unit = 'aé=漢📬 ';
    const text = unit.repeat(Math.ceil((3 * SLICE) / unit.length) - 1);
    const slices = [...slicedSize(text)];
    expect(slices).toHaveLength(2);
    const once = textPartSize(unit.repeat(10_000)) / (unit.length * 10_000);
    expect(textPartSize(text) / text.length).toBeCloseTo(once, 1);
    expect(await textSize([text, ''])).toBe(textPartSize(text) + textPartSize(''));
    expect(textSize(['a', 'b'])).toBe(2 * textPartSize('a'));
  });
});
