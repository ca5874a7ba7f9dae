import { DtoReader } from '../../../shared/validation/dto-reader.js';
import { SendEmailDto } from './send-email.dto.js';

const reader = DtoReader.of(SendEmailDto);

const email = (fields: object = {}) => ({ from: 'a@b.example', to: ['c@d.example'], ...fields });

const GOOD: [string, object][] = [
  ['the least', email()],
  ['no sender, which a template may supply', email({ from: undefined })],
  ['tags', email({ tags: [{ name: 'a', value: 'b' }] })],
  ['a template', email({ template: { id: 'welcome', variables: { A: 1 } } })],
  ...['<a@b>', "<x.!#$%&'*+/=?^_`{|}~-@a-1.b>", '<a@[127.0.0.1]>', '<a@[]>', `<${'a'.repeat(246)}@b>`].map(
    (message_id): [string, object] => [`the message id ${message_id}`, email({ message_id })],
  ),
  ['an attachment', email({ attachments: [{ content: 'YQ==', filename: 'a.txt' }] })],
];

const BAD: [string, object, string][] = [
  ['no recipient', email({ to: undefined }), 'Missing `to` field.'],
  ['an empty list of recipients', email({ to: [] }), 'Missing `to` field.'],
  ['an invalid address', email({ cc: ['e@f.example', 'nobody'] }), '`cc[1]` must be one mailbox'],
  ['a number as text', email({ html: 1 }), '`html` must be a string.'],
  ['headers that are not an object', email({ headers: 'X: y' }), '`headers` must be an object of strings and numbers.'],
  [
    'a header that is not a text',
    email({ headers: { 'X-A': true } }),
    '`headers.X-A` must be a string or a finite number.',
  ],
  [
    'a header that JSON cannot express',
    email({ headers: { 'X-A': Number.NaN } }),
    '`headers.X-A` must be a string or a finite',
  ],
  [
    'a header that looks like a placeholder',
    email({ headers: { $target: [1] } }),
    '`headers.$target` must be a string',
  ],
  ['a header that may be an address', email({ headers: { 'a@b.test': true } }), '`headers.…` must be a string'],
  [
    'the field of redirected recipients',
    email({ headers: { 'X-ORIGINAL-To': 'a@to.test' } }),
    'must not set `X-ORIGINAL-To`',
  ],
  [
    'the field of redirected bcc',
    email({ headers: { 'x-original-bcc': '1 others' } }),
    'must not set `x-original-bcc`',
  ],
  ['a number for a header of ours', email({ headers: { Date: 1 } }), 'must not set `Date`'],
  ...[
    ...['a@b', '<a>', '<@b>', '<a@>', '<a@b', '<a@b>>', ' <a@b>', '<a@b> ', '<a@b>\n', '<a@@b>', '<a.@b>', '<a..c@b>'],
    ...[
      '<a@b><c@d>',
      '<a b@c>',
      '<"a"@b>',
      '<a(c)@b>',
      '<a@[b]c>',
      '<a@[>]>',
      '<a@[\\]>',
      '<ä@b>',
      '<a\0@b>',
      7,
      ['<a@b>'],
    ],
    `<${'a'.repeat(247)}@b>`,
  ].map((message_id): [string, object, string] => [
    `the message id ${JSON.stringify(message_id)}`,
    email({ message_id }),
    '`message_id` must be `<left@right>` of up to 250 characters',
  ]),
  ['a tag with a space in it', email({ tags: [{ name: 'a b', value: 'c' }] }), '`tags[0].name` must have'],
  ['a tag without a name', email({ tags: [{ value: 'a' }] }), 'Missing `tags[0].name` field.'],
  ['a number as value of a tag', email({ tags: { a: 'b', b: 5 } }), '`tags[1].value` must have up to 256'],
  ['a tag outside a list', email({ tags: { name: 'a', value: 'b' } }), '`tags` must be up to 75 tags'],
  [
    '76 names',
    email({ tags: Object.fromEntries(Array.from({ length: 76 }, (_, at) => [`n${at}`, ''])) }),
    '`tags` must be up',
  ],
  ['a tag that is not an object', email({ tags: ['a'] }), '`tags[0]` must be an object.'],
  ['a tag twice', email({ tags: [{ name: 'a' }, { name: 'a' }] }), '`tags` must have unique names.'],
  ['a filename with a slash', email({ attachments: [{ filename: 'a/b' }] }), '`attachments[0].filename` must have'],
  ['a field of an attachment', email({ attachments: [{ fileName: '' }] }), 'Did you mean `attachments[0].filename`?'],
  ['a hole in the attachments', email({ attachments: new Array(1) }), '`attachments[0]` must be an object.'],
  ['a topic that is not a uuid', email({ topic_id: 'news' }), '`topic_id` must be the uuid of a topic.'],
  ['a template without an id', email({ template: {} }), 'Missing `template.id` field.'],
  ['a missing field before an invalid one', { from: 'nobody' }, 'Missing `to` field.'],
  ['an unknown field before a missing one', { constructor: 1 }, '`constructor` is not a field. Leave it out.'],
];

describe('reader', () => {
  it.each(GOOD)('take %s', (_what, body) => {
    expect(reader.read(body)).toMatchObject(body);
  });

  it.each(BAD)('refuse %s', (_what, body, message) => {
    expect(() => reader.read(body)).toThrow(message);
  });

  it('turn one mailbox, or none, into a list for fields with several', () => {
    expect(reader.read({ to: 'a@b.example', bcc: '', tags: null })).toMatchObject({
      to: ['a@b.example'],
      cc: [],
      bcc: [],
      reply_to: [],
      headers: {},
      attachments: [],
      tags: [],
    });
  });

  it('keep an empty text, and nothing else that is empty', () => {
    const { text, html } = reader.read(email({ text: '', html: '' }));
    expect([text, html]).toEqual(['', undefined]);
  });

  it('normalise other spellings of an attachment', () => {
    const attachments = [{ filename: 'a.png', content_type: 'image/png', content_id: 'logo', content: 'YQ==' }];
    for (const [content_type, content_id] of [
      ['content_type', 'content_id'],
      ['contentType', 'contentId'],
      ['contentType', 'inline_content_id'],
      ['contentType', 'inlineContentId'],
    ] as const) {
      const spelled = { filename: 'a.png', [content_type]: 'image/png', [content_id]: '<cid:logo>', content: 'YQ==' };
      expect(reader.read(email({ attachments: [spelled] }))).toEqual(reader.read(email({ attachments })));
    }
  });

  it('read a tag without a value, tags of an object, and numbers of headers', () => {
    const { tags, headers } = reader.read(
      email({ tags: { b: '1', a: null, '10': '' }, headers: { 'X-N': -1.5, 'X-Big': 1e21, 'X-T': 'x' } }),
    );
    expect(tags).toEqual([
      { name: '10', value: '' },
      { name: 'a', value: '' },
      { name: 'b', value: '1' },
    ]);
    expect(headers).toEqual({ 'X-N': '-1.5', 'X-Big': '1e+21', 'X-T': 'x' });
    expect(reader.read(email({ tags: [{ name: 'a' }, { name: 'b', value: null }] })).tags).toEqual([
      { name: 'a', value: '' },
      { name: 'b', value: '' },
    ]);
    expect(reader.read(email({ tags: {} })).tags).toEqual([]);
    expect(reader.read(email({ tags: { value: 'x' } })).tags).toEqual([{ name: 'value', value: 'x' }]);
  });

  it('do not modify their input', () => {
    const given = Object.freeze(
      email({
        headers: Object.freeze({ 'X-N': 1 }),
        attachments: Object.freeze([Object.freeze({ contentType: 'text/plain', content: 'YQ==' })]),
      }),
    );
    expect(() => reader.read(given)).not.toThrow();
  });

  it('share nothing between emails', () => {
    reader.read(email()).cc.push('a@b.example');
    expect(reader.read(email()).cc).toEqual([]);
  });
});
