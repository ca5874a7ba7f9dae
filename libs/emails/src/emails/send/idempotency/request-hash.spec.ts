import { createHash } from 'node:crypto';
import { DtoReader } from '../../../shared/validation/dto-reader.js';
import { SLICE } from '../../../shared/work/slices.js';
import { turnsOf } from '../../../shared/work/turns.spec-tools.js';
import { SendEmailDto } from '../request/send-email.dto.js';
import { hashRequest } from './request-hash.js';

const email = (more: object = {}): SendEmailDto => ({
  from: 'a@b.test',
  to: ['c@d.test'],
  cc: [],
  bcc: [],
  reply_to: [],
  headers: {},
  attachments: [],
  tags: [],
  ...more,
});

/** The hash from before long texts were hashed in slices: keys stored then must still be found. */
const whole = (request: SendEmailDto) =>
  createHash('sha256')
    .update(
      JSON.stringify(request, (_key, item) =>
        typeof item !== 'object' || item === null || Array.isArray(item)
          ? item
          : Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))),
      ),
    )
    .digest('hex');

describe('hashRequest', () => {
  const long = (unit: string) => unit.repeat((2.5 * SLICE) / unit.length);

  it.each([
    ['short texts', { html: '<p>"\\u0000"</p>', text: '"\0"'.replace('\0', '\\u0000') }],
    ['long texts', { html: long('<p class="a">\n'), text: long('a"\\b\t') }],
    ['a long text next to a short one', { text: long('x'), html: '"\\u0000"', subject: '"\\u0000' }],
    ['pairs of surrogates where a slice ends', { html: `a${long('📬')}`, text: long('📬') }],
    ['letters of three bytes', { html: long('漢é') }],
  ])('of %s is that of the whole JSON', async (_, texts) => {
    expect(await hashRequest(email(texts))).toBe(whole(email(texts)));
  });

  it.each([
    ['many addresses', { to: Array.from({ length: 400 }, (_, at) => `${'名'.repeat(800)} <${at}@b.test>`) }],
    [
      'many headers',
      { headers: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`${at}`, 'x'.repeat(900)])) },
    ],
    ['long variables', { template: { id: 'x', variables: { a: long('a"'), 9: [long('b'), 1], '': {} } } }],
    [
      'a value that no email has',
      { zz: [[], {}, undefined, null, { b: long('"'), a: undefined }, [long('c'), undefined, true]] },
    ],
  ])('of %s is that of the whole JSON, and shares the event loop', async (_, more) => {
    expect(await hashRequest(email(more))).toBe(whole(email(more)));
    const { all, longest } = await turnsOf(() =>
      hashRequest(email({ ...more, zzz: Array(500).fill(long('x').slice(0, 50_000)) })),
    );
    expect(longest).toBeLessThan(all / 4);
  });

  it('differs by each letter of a long text', async () => {
    const text = long('abc');
    expect(await hashRequest(email({ text }))).not.toBe(await hashRequest(email({ text: `${text.slice(0, -1)}d` })));
    expect(await hashRequest(email({ text }))).not.toBe(await hashRequest(email({ html: text })));
  });

  it('does not differ by a spelling', async () => {
    const hash = (fields: object) =>
      hashRequest(DtoReader.of(SendEmailDto).read({ from: 'a@b.test', to: 'c@d.test', ...fields }));
    const file = { content: 'YQ==', content_type: 'image/png', content_id: 'logo' };
    for (const [some, others] of [
      [
        { attachments: [file] },
        { attachments: [{ content: 'YQ==', contentType: 'image/png', inline_content_id: '<logo>' }] },
      ],
      [{ tags: [{ name: 'a', value: '' }] }, { tags: [{ name: 'a' }] }],
      [
        {
          tags: [
            { name: 'a', value: '1' },
            { name: 'b', value: '' },
          ],
        },
        { tags: { b: null, a: '1' } },
      ],
      [{ headers: { 'X-N': '5' } }, { headers: { 'X-N': 5 } }],
    ] as const) {
      expect(await hash(some)).toBe(await hash(others));
    }
    expect(await hash({ scheduled_at: 'in 1 min' })).not.toBe(await hash({ scheduled_at: 'in 60 seconds' }));
  });

  it('is the same in every version: a request repeated during an upgrade gets its first answer', async () => {
    const lists = { to: ['d@e.f'], cc: [], bcc: [], reply_to: [], tags: [] };
    const attachments = [{ filename: 'a.bin', content: 'AAH+/w==' }];
    expect(await hashRequest({ from: 'a@b.c', ...lists, headers: {}, attachments })).toBe(
      '82cf6c01dd197eba1070251993e197ca4ebfb76237de58f5fb154dde0c0f8921',
    );
  });
});
