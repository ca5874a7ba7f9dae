import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import { writeSmallMessage } from './small-message.js';

const FROM = { name: 'Sender', address: 'sender@from.test' };
const LINES = [
  'short',
  'x'.repeat(900),
  'Grüße an 漢字 🎉',
  'a=b',
  'trailing \t',
  '.',
  '..dot',
  'From me',
  '',
  ' '.repeat(80),
];

const compile = (html: string | undefined, text: string | undefined) =>
  new MailComposer({
    from: FROM,
    to: [{ name: 'Ann Ä', address: 'ann@to.test' }],
    subject: 'Grüße',
    messageId: '<1@from.test>',
    date: new Date(0),
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
  }).compile();

/** Removes soft line breaks (RFC 2045 section 6.7), whose positions are free. */
const joined = (message: Buffer) => message.toString().replaceAll('=\r\n', '');

describe('writeSmallMessage', () => {
  const lines = fc.array(fc.oneof(fc.constantFrom(...LINES), fc.string({ unit: 'binary' })), { maxLength: 12 });
  const content = fc.tuple(lines, fc.constantFrom('\n', '\r\n')).map(([parts, end]) => parts.join(end));
  const seed = Date.now() % 2 ** 31;

  it(`writes the same bytes as the streams (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.option(content, { nil: undefined }),
        fc.option(content, { nil: undefined }),
        async (html, text) => {
          const node = compile(html, text);
          expect(joined(writeSmallMessage(node))).toBe(joined(await node.build()));
        },
      ),
      { seed, numRuns: 300 },
    );
  });

  it.each(['', '\r', '\n', '\r\n', '\n\r', 'a\r'])('ends a text as the streams do: %j', async (text) => {
    const node = compile(undefined, text);
    expect(writeSmallMessage(node)).toEqual(await node.build());
  });

  it('is for texts only', () => {
    const node = new MailComposer({ from: FROM, attachments: [{ content: Buffer.from('abc') }] }).compile();
    expect(() => writeSmallMessage(node)).toThrow(TypeError);
  });
});
