import { ContractHost, invalid, letter, missing, type Refusal } from '../support/hosts/contract-host.js';

/** Contract 1 and 2.1: the shape of a body. The messages that arrive are tested in `send-message`, `-headers` and `-mailboxes`. */
describe('the body of POST /emails', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.share();
  });

  const many = (count: number) => Array.from({ length: count }, (_, at) => `r${at}@to.test`);
  const tags = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `n${at}`, value: 'v' }));

  it.each(['from', 'to', 'subject'])('needs `%s`', async (field) => {
    for (const absent of [undefined, null, '', []]) await api.refuse({ [field]: absent }, missing(field));
  });

  it('names a missing field before an invalid one', async () => {
    await api.refuse({ to: undefined, html: 7 }, missing('to'));
  });

  it.each([
    ['from', 5],
    ['from', ['a@from.test']],
    ['from', { email: 'a@from.test' }],
    ['from', true],
    ['to', 5],
    ['to', {}],
    ['to', { 0: 'a@to.test' }],
    ['to', [5]],
    ['to', [null]],
    ['to', ['']],
    ['to', [['a@to.test']]],
    ['to', ['a@to.test', { email: 'b@to.test' }]],
    ['cc', 5],
    ['cc', ['']],
    ['bcc', {}],
    ['bcc', [7]],
    ['reply_to', true],
    ['reply_to', [[]]],
    ['subject', 5],
    ['subject', ['Hello']],
    ['subject', {}],
    ['html', 5],
    ['html', ['<p>']],
    ['html', false],
    ['text', 5],
    ['text', {}],
    ['text', ['a']],
    ['headers', 'X-A: b'],
    ['headers', ['X-A: b']],
    ['headers', [{ 'X-A': 'b' }]],
    ['scheduled_at', 1_795_238_761],
    ['scheduled_at', {}],
    ['tags', 'a'],
    ['tags', { name: 'a', value: 'b' }],
    ['tags', ['a']],
    ['tags', [null]],
    ['tags', [[]]],
    ['tags', [[{ name: 'a', value: 'b' }]]],
    ['topic_id', 5],
    ['topic_id', ['0198f0c1-0000-7000-8000-000000000000']],
    ['template', 'welcome'],
    ['template', [{ id: 'welcome' }]],
    ['attachments', 'a.txt'],
  ])('refuses a `%s` of the wrong type: %j', async (field, value) => {
    await api.refuse({ [field]: value }, invalid(new RegExp(`^\`${field}(\\[\\d\\])*\``)));
  });

  it.each(['to', 'cc', 'bcc', 'reply_to'])('accepts one string or up to 50 in `%s`', async (field) => {
    const one = await api.accept({ [field]: 'one@to.test' });
    expect(await api.record(one)).toMatchObject({ [field]: ['one@to.test'] });
    const all = await api.accept({ [field]: many(50) });
    expect(await api.record(all)).toMatchObject({ [field]: many(50) });
    await api.refuse({ [field]: many(51) }, invalid(new RegExp(`^\`${field}\` .*50`)));
  });

  it.each([
    ['998 characters', 'x'.repeat(998)],
    ['998 characters outside ASCII', '例'.repeat(998)],
    ['998 characters of two UTF-16 units', '🦊'.repeat(998)],
    ['one space', ' '],
  ])('accepts a subject of %s', async (_, subject) => {
    expect(await api.record(await api.accept({ subject }))).toMatchObject({ subject });
  });

  it.each([
    ['999 characters', 'x'.repeat(999)],
    ['999 characters outside ASCII', '🦊'.repeat(999)],
    ['a line feed', 'Hello\nBcc: x@to.test'],
    ['CRLF', 'Hello\r\nX-Injected: 1'],
    ['a carriage return', 'Hello\r'],
    ['a tab', 'Hello\tyou'],
    ['a bell', 'Hello\x07'],
    ['DEL', 'Hello\x7f'],
    ['a C1 control', 'Hello\x85you'],
    ['NUL', 'Hello\0'],
    ['an encoded word, which would arrive as something else', '=?utf-8?q?Hello?='],
  ])('refuses a subject with %s', async (_, subject) => {
    await api.refuse({ subject }, invalid(/^`subject` /));
  });

  it('accepts html, text, both or neither, and shows them unchanged', async () => {
    const html = '<p>Grüße\r\n</p>\0'.slice(0, -1);
    for (const [given, shown] of [
      [
        { html, text: 'Hi\n' },
        { html, text: 'Hi\n' },
      ],
      [
        { html, text: undefined },
        { html, text: null },
      ],
      [
        { html, text: '' },
        { html, text: '' },
      ],
      [{ text: 'Hi' }, { html: null, text: 'Hi' }],
      [{ text: undefined }, { html: null, text: null }],
    ]) {
      expect(await api.record(await api.accept(given))).toMatchObject(shown!);
    }
  });

  it('accepts up to 75 tags and keeps them unchanged', async () => {
    const given = [...tags(74), { name: 'A-z_09'.padEnd(256, '-'), value: '_'.repeat(256) }];
    const id = await api.accept({ tags: given });
    const stored = await api.host.query('SELECT tags FROM nestjs_emails.emails WHERE id = $1', [id]);
    expect(stored).toEqual([{ tags: given }]);
  });

  it.each<[string, unknown, object[]]>([
    [
      'without a value',
      [{ name: 'n' }, { name: 'm', value: null }],
      [
        { name: 'n', value: '' },
        { name: 'm', value: '' },
      ],
    ],
    ['with an empty value', [{ name: 'n', value: '' }], [{ name: 'n', value: '' }]],
    [
      'as an object',
      { plan: 'pro', beta: '' },
      [
        { name: 'beta', value: '' },
        { name: 'plan', value: 'pro' },
      ],
    ],
    ['as an empty object', {}, []],
  ])('takes tags %s', async (_, given, kept) => {
    const id = await api.accept({ tags: given });
    const stored = await api.host.query('SELECT tags FROM nestjs_emails.emails WHERE id = $1', [id]);
    expect(stored).toEqual([{ tags: kept }]);
  });

  const tagRule = invalid(/^`tags\[0\]\.(name|value)` .*to 256/);

  it.each<[string, unknown, Refusal]>([
    ['76 of them', tags(76), invalid(/^`tags` .*75/)],
    ['a name twice', [...tags(2), { name: 'n0', value: 'w' }], invalid(/^`tags` .*unique/)],
    ['no name', [{ value: 'v' }], missing('tags[0].name')],
    ['a number as value in an object', { n: 5 }, tagRule],
    ['a space in a name of an object', { 'a b': 'c' }, tagRule],
    ['76 names in an object', Object.fromEntries(many(76).map((_, at) => [`n${at}`, 'v'])), invalid(/^`tags` .*75/)],
    ['a name of 257 characters', [{ name: 'n'.repeat(257), value: 'v' }], tagRule],
    ['a value of 257 characters', [{ name: 'n', value: 'v'.repeat(257) }], tagRule],
    ['a space in a name', [{ name: 'a b', value: 'v' }], tagRule],
    ['a letter outside ASCII', [{ name: 'ä', value: 'v' }], tagRule],
    ['a line break at the end', [{ name: 'n', value: 'v\n' }], tagRule],
    ['a number as value', [{ name: 'n', value: 5 }], tagRule],
    ['a list as name', [{ name: ['n'], value: 'v' }], tagRule],
    ['another field', [{ name: 'n', value: 'v', color: 'red' }], invalid(/`tags\[0\]\.color` is not a field/)],
  ])('refuses tags with %s', async (_, value, refusal) => {
    await api.refuse({ tags: value }, refusal);
  });

  it.each([
    ['no uuid', 'newsletter'],
    ['a uuid with braces', '{0198f0c1-0000-7000-8000-000000000000}'],
    ['the uuid of no topic', '0198f0c1-0000-7000-8000-000000000000'],
  ])('refuses a topic_id that is %s', async (_, topic_id) => {
    await api.refuse({ topic_id }, invalid(/^`topic_id` /));
  });

  it('treats empty values of optional fields as absent', async () => {
    const fields = ['cc', 'bcc', 'reply_to', 'html', 'template', 'headers', 'scheduled_at', 'attachments', 'tags'];
    for (const empty of ['', null, []]) {
      const id = await api.accept(Object.fromEntries([...fields, 'topic_id'].map((field) => [field, empty])));
      expect(await api.record(id)).toMatchObject({ cc: [], bcc: [], reply_to: [], html: null, scheduled_at: null });
    }
    for (const empty of [null, []])
      expect(await api.record(await api.accept({ text: empty }))).toMatchObject({ text: null });
  });

  it.each([
    ['replyTo', 'reply_to'],
    ['ReplyTo', 'reply_to'],
    ['reply-to', 'reply_to'],
    ['scheduledAt', 'scheduled_at'],
    ['topicId', 'topic_id'],
    ['attachment', 'attachments'],
    ['form', 'from'],
    ['subjet', 'subject'],
    ['CC', 'cc'],
    ['header', 'headers'],
    ['tag', 'tags'],
    ['Html', 'html'],
  ])('suggests `%s` → `%s` for an unknown field', async (field, meant) => {
    await api.refuse({ [field]: 'a@to.test' }, invalid(new RegExp(`^\`${field}\` is not a field\\..*\`${meant}\``)));
  });

  it.each(['react', 'urgency', 'constructor', 'toString', 'hasOwnProperty', 'a'])(
    'refuses the unknown field `%s`, also when it is empty',
    async (field) => {
      for (const value of ['x', null]) {
        await api.refuse({ [field]: value }, invalid(new RegExp(`^\`${field}\` is not a field\\.`)));
      }
    },
  );

  it('refuses `__proto__`', async () => {
    const body = `{"__proto__": {"html": "x"}, ${JSON.stringify(letter()).slice(1)}`;
    await api.refuse({}, invalid(/__proto__/), { body });
  });

  it('names an unknown field without repeating all of it', async () => {
    await api.refuse({ [`x${'y'.repeat(5_000)}`]: 1 }, invalid(/^`xy{30,60}` is not a field/));
  });

  it('sent no refused email', () => api.expectNothingElseSent());
});
