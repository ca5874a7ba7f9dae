import { randomUUID } from 'node:crypto';
import { Resend } from 'resend';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { parseMime } from '../support/reading/mime.js';
import { expectRefused, invalid, missing, NOT_FOUND, type Refusal } from '../support/rules/refusals.js';
import { followsTheRulesOfResources } from '../support/rules/resource-rules.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const TABLES = ['nestjs_emails.templates'];
const NOTHING_SENT = ['nestjs_emails.emails', 'nestjs_emails.events'];

const ORDER = {
  name: 'Order',
  from: 'Shop <shop@from.test>',
  subject: 'Order {{ID}}',
  reply_to: ['help@from.test', 'Boss <boss@from.test>'],
  html: '<p>{{NAME}} {{{NAME}}}: {{PRICE}}</p>',
  text: '{{NAME}}: {{PRICE}}',
  variables: [
    { key: 'ID', type: 'string', fallback_value: null },
    { key: 'NAME', type: 'string', fallback_value: 'you' },
    { key: 'PRICE', type: 'number', fallback_value: 9.5 },
  ],
};

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

interface TemplateBody {
  id: string;
  status: string;
  created_at: string;
  updated_at: string;
  published_at: string | null;
  current_version_id: string;
  has_unpublished_versions: boolean;
  variables: { id: string; key: string; created_at: string; updated_at: string }[];
}

describe('/templates', () => {
  let sink: SmtpSink;
  let host: RunningHost;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final' } });
  });

  beforeEach(() => sink.reset());

  async function ask(method: string, path: string, body?: unknown, status = 200): Promise<TemplateBody> {
    const answer = await host.request<TemplateBody>(method, path, body === undefined ? {} : { body });
    expect([answer.status, answer.body]).toEqual([status, expect.anything()]);
    return answer.body;
  }

  const create = (fields: object = {}) => ask('POST', '/templates', { ...ORDER, ...fields }, 201);
  const publish = (idOrAlias: string) => ask('POST', `/templates/${idOrAlias}/publish`);

  async function published(fields: object = {}): Promise<string> {
    const { id } = await create(fields);
    await publish(id);
    return id;
  }

  /** Sends with this template, and gives the record. */
  async function send(id: string, fields: { variables?: object; [field: string]: unknown } = {}) {
    const { variables = { ID: '7' }, ...rest } = fields;
    const template = { from: undefined, subject: undefined, text: undefined, template: { id, variables } };
    const emailId = await post(host, 'to@to.test', { ...template, ...rest });
    await untilShown(host, emailId, 'delivered');
    const { body } = await host.request<{ data: Record<string, unknown>[] }>('GET', '/emails?limit=1');
    expect(body.data[0]).toMatchObject({ id: emailId });
    return body.data[0] as Record<string, unknown>;
  }

  followsTheRulesOfResources(() => host, {
    path: '/templates',
    object: 'template',
    table: 'nestjs_emails.templates',
    body: (n) => ({ ...ORDER, name: `Order ${n}`, alias: `order-${n}` }),
    required: 'name',
    misspelt: ['replyTo', 'reply_to'],
    change: { name: 'Changed' },
    hasNames: true,
    repeats: 'template_id',
    kept: { ...ORDER, alias: 'kept' },
    more: [
      ['POST', '/publish'],
      ['POST', '/duplicate'],
    ],
  });

  describe('fields', () => {
    it('are optional except the name', async () => {
      const empty = { alias: '', from: null, subject: '', reply_to: [], html: '', variables: null };
      expect(await ask('POST', '/templates', { name: 'Bare', ...empty }, 201)).toEqual({
        object: 'template',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Bare',
        alias: null,
        status: 'draft',
        from: null,
        subject: null,
        reply_to: [],
        html: null,
        text: null,
        variables: [],
        sensitive: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        published_at: null,
        current_version_id: UUID,
        has_unpublished_versions: true,
      });
    });

    it('may be as large as their limits', async () => {
      const variables = Array.from({ length: 50 }, (_, n) => ({
        key: `${'K'.repeat(48)}${String(n).padStart(2, '0')}`,
        type: 'string',
        fallback_value: '…'.repeat(2_000),
      }));
      const fields = { alias: `${randomUUID()}_${'x'.repeat(218)}`, subject: '€'.repeat(998), variables };
      expect(await create({ ...fields, reply_to: 'one@from.test' })).toMatchObject({
        ...fields,
        reply_to: ['one@from.test'],
      });
    });

    it('of a variable without fallback show null', async () => {
      const variables = [
        { key: 'A', type: 'string' },
        { key: 'B', type: 'number', fallback_value: null },
        { key: 'C', type: 'string', fallback_value: '' },
        { key: 'D', type: 'number', fallback_value: 0 },
      ];
      expect(await create({ variables })).toMatchObject({
        variables: [
          { key: 'A', type: 'string', fallback_value: null },
          { key: 'B', type: 'number', fallback_value: null },
          { key: 'C', type: 'string', fallback_value: null },
          { key: 'D', type: 'number', fallback_value: 0 },
        ],
      });
    });

    it('of variables may be sent back as shown, or with `fallbackValue`', async () => {
      const { id, variables } = await create({ variables: [{ key: 'A', type: 'string', fallbackValue: 'a' }] });
      expect(variables).toMatchObject([{ key: 'A', fallback_value: 'a' }]);
      const { status, body } = await host.request('PATCH', `/templates/${id}`, { body: { variables } });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ variables: [expect.objectContaining({ id: variables[0]?.id })] }),
      ]);
    });

    const variables = (...entries: unknown[]) => ({ variables: entries });
    const good = { key: 'GOOD', type: 'string' };

    it.each<[string, object, Refusal]>([
      ['a name of 256 characters', { name: 'x'.repeat(256) }, invalid('`name`')],
      ['a name of two lines', { name: 'a\r\nb' }, invalid('`name`')],
      ['an alias with a space', { alias: 'a b' }, invalid('`alias`')],
      ['an alias with a slash', { alias: 'a/b' }, invalid('`alias`')],
      ['an alias of 256 characters', { alias: 'a'.repeat(256) }, invalid('`alias`')],
      ['an alias that is a uuid', { alias: randomUUID() }, invalid('`alias`')],
      ['an alias that is a number', { alias: 7 }, invalid('`alias`')],
      ['a sender that is not a mailbox', { from: 'nobody' }, invalid('`from`')],
      ['two senders', { from: 'a@from.test, b@from.test' }, invalid('`from`')],
      ['a sender that is a list', { from: ['a@from.test'] }, invalid('`from`')],
      ['a reply address that is not a mailbox', { reply_to: 'nobody' }, invalid('`reply_to`')],
      ['a comma list of reply addresses', { reply_to: 'a@from.test,b@from.test' }, invalid('`reply_to`')],
      ['an invalid reply address among others', { reply_to: ['a@from.test', 7] }, invalid('`reply_to`')],
      ['51 reply addresses', { reply_to: Array(51).fill('a@from.test') }, invalid('`reply_to`')],
      ['a subject of two lines', { subject: 'a\nb' }, invalid('`subject`')],
      ['a subject of 999 characters', { subject: 'x'.repeat(999) }, invalid('`subject`')],
      ['a subject with a helper', { subject: '{{#if A}}' }, invalid('`subject`')],
      ['html with a helper', { html: '<p>\n{{#each A}}</p>' }, invalid('`html` cannot be used as it is. Line 2')],
      ['html with a path', { html: '{{A.B}}' }, invalid('`html`')],
      ['html with a partial', { html: '{{> A}}' }, invalid('`html`')],
      ['html with an open placeholder', { html: '{{A' }, invalid('`html`')],
      ['html that is a number', { html: 7 }, invalid('`html`')],
      ['text with a key that is too long', { text: `{{${'A'.repeat(51)}}}` }, invalid('`text`')],
      ['text that is an object', { text: {} }, invalid('`text`')],
      ['NUL', { text: 'a\0b' }, invalid('`text`')],
      ['half of a surrogate pair', { html: 'a\ud800b' }, invalid('`html`')],
      ['variables that are not a list', { variables: { A: 1 } }, invalid('`variables`')],
      ['51 variables', variables(...Array(51).fill(good)), invalid('`variables` takes up to 50')],
      ['a variable that is a text', variables(good, 'A'), invalid('`variables[1]` must be an object')],
      ['a variable without key', variables(good, { type: 'string' }), missing('variables[1].key')],
      ['a variable without type', variables(good, { key: 'A' }), missing('variables[1].type')],
      ['a key with a hyphen', variables({ key: 'A-B', type: 'string' }), invalid('`variables[0].key`')],
      ['a key of 51 characters', variables({ key: 'A'.repeat(51), type: 'string' }), invalid('`variables[0].key`')],
      ['a key twice', variables(good, { ...good, type: 'number' }), invalid('`variables[1].key`')],
      ['a type of another kind', variables({ key: 'A', type: 'boolean' }), invalid('`variables[0].type`')],
      [
        'a number that falls back to a text',
        variables({ key: 'A', type: 'number', fallback_value: '1' }),
        invalid('`variables[0].fallback_value`'),
      ],
      [
        'a text that falls back to a number',
        variables({ key: 'A', type: 'string', fallback_value: 1 }),
        invalid('`variables[0].fallback_value`'),
      ],
      [
        'a text that falls back to false',
        variables({ key: 'A', type: 'string', fallback_value: false }),
        invalid('`variables[0].fallback_value`'),
      ],
      [
        'a fallback of 2,001 characters',
        variables({ key: 'A', type: 'string', fallback_value: 'x'.repeat(2_001) }),
        invalid('`variables[0].fallback_value`'),
      ],
      [
        'a misspelt field of a variable',
        variables({ ...good, fallback_vale: 'x' }),
        invalid('Did you mean `variables[0].fallback_value`?'),
      ],
      ['a status', { status: 'published' }, invalid('`status`')],
    ])('refuse %s, on creation and on change', async (_, fields, refusal) => {
      const { id } = await create();
      await expectRefused(host, ['POST', '/templates', { body: { ...ORDER, ...fields } }], refusal, TABLES);
      await expectRefused(host, ['PATCH', `/templates/${id}`, { body: { name: 'New', ...fields } }], refusal, TABLES);
    });

    it('refuse a fallback that is not finite', async () => {
      const body = '{"name":"Infinite","variables":[{"key":"A","type":"number","fallback_value":1e999}]}';
      const refusal = invalid('`variables[0].fallback_value` must be a finite number');
      await expectRefused(host, ['POST', '/templates', { body }], refusal, TABLES);
    });

    it('change when named, and are cleared by null', async () => {
      const before = await create({ alias: 'to-change' });
      const changed = await ask('PATCH', '/templates/to-change', { subject: 'New {{A}}', reply_to: 'new@from.test' });
      expect(changed).toEqual({
        ...before,
        subject: 'New {{A}}',
        reply_to: ['new@from.test'],
        updated_at: expect.any(String),
        variables: before.variables.map((variable) => ({ ...variable, updated_at: changed.updated_at })),
        current_version_id: UUID,
      });
      expect(changed.updated_at > before.updated_at).toBe(true);
      expect(await ask('PATCH', '/templates/to-change', {})).toEqual(changed);
      const cleared = {
        alias: null,
        from: null,
        subject: null,
        reply_to: null,
        html: null,
        text: null,
        variables: null,
      };
      expect(await ask('PATCH', '/templates/to-change', { ...cleared, name: null })).toMatchObject({
        ...cleared,
        reply_to: [],
        variables: [],
        name: 'Order',
      });
      await expectRefused(host, ['GET', '/templates/to-change'], NOT_FOUND, TABLES);
    });
  });

  describe('variables', () => {
    it('have separate, stable ids', async () => {
      const { id, variables, created_at } = await create();
      expect(variables).toMatchObject(ORDER.variables.map(() => ({ id: UUID, created_at, updated_at: created_at })));
      expect(new Set(variables.map((variable) => variable.id)).size).toBe(3);
      const idsOf = async (fields: object) =>
        Object.fromEntries((await ask('PATCH', `/templates/${id}`, fields)).variables.map(({ key, id }) => [key, id]));
      const [, name] = variables;
      expect(await idsOf({ variables: [{ key: 'NAME', type: 'number' }] })).toEqual({ NAME: name?.id });
      expect(await idsOf({ variables: ORDER.variables })).toEqual(
        Object.fromEntries(variables.map((variable) => [variable.key, variable.id])),
      );
      const copy = await ask('POST', `/templates/${id}/duplicate`);
      expect(copy.variables[1]?.id).not.toBe(name?.id);
      const [row] = await host.query('SELECT variables FROM nestjs_emails.templates WHERE id = $1', [copy.id]);
      expect(row).toEqual({ variables: ORDER.variables });
    });
  });

  describe('alias', () => {
    it('replaces the id, in its own account', async () => {
      const template = await create({ alias: 'my_Alias-1' });
      expect(await ask('GET', '/templates/my_Alias-1')).toEqual(template);
      await expectRefused(host, ['GET', '/templates/my_alias-1'], NOT_FOUND, TABLES);
      const { token } = await host.account('same aliases');
      const theirs = await host.request('POST', '/templates', { body: { ...ORDER, alias: 'my_Alias-1' }, token });
      expect(theirs.status).toBe(201);
      for (const own of ['my_Alias-1', template.id, template.id.toUpperCase()]) {
        const repeated = { alias: 'my_Alias-1', id: own, template_id: own };
        expect(await ask('PATCH', '/templates/my_Alias-1', repeated)).toMatchObject({ id: template.id });
      }
      const another = { body: { id: 'my_alias-1' } };
      await expectRefused(host, ['PATCH', '/templates/my_Alias-1', another], invalid('`id` cannot be changed'), TABLES);
      expect(await ask('POST', '/templates/my_Alias-1/publish')).toMatchObject({
        id: template.id,
        status: 'published',
      });
      expect(await ask('DELETE', '/templates/my_Alias-1')).toEqual({
        object: 'template',
        id: template.id,
        deleted: true,
      });
      expect((await host.request('GET', '/templates/my_Alias-1', { token })).body).toEqual(theirs.body);
    });

    it('is unique', async () => {
      await create({ alias: 'taken' });
      const { id } = await create();
      const taken = invalid('`alias` is the alias of another template');
      await expectRefused(host, ['POST', '/templates', { body: { ...ORDER, alias: 'taken' } }], taken, TABLES);
      await expectRefused(host, ['PATCH', `/templates/${id}`, { body: { alias: 'taken' } }], taken, TABLES);
    });
  });

  describe('publishing', () => {
    it('makes the draft the sent version; later changes wait for the next publication', async () => {
      const { id } = await create({ alias: 'versions', html: null, subject: 'One', text: 'first' });
      const first = await publish(id);
      expect(first).toMatchObject({
        status: 'published',
        published_at: expect.stringMatching(/\.\d{6}\+00$/),
        has_unpublished_versions: false,
      });
      const renamed = await ask('PATCH', `/templates/${id}`, { name: 'Versions', html: '' });
      expect(renamed).toMatchObject({ current_version_id: first.current_version_id, has_unpublished_versions: false });
      expect(await send(id)).toMatchObject({ subject: 'One', text: 'first' });

      const changed = await ask('PATCH', `/templates/${id}`, {
        subject: 'Two',
        text: 'second',
        from: 'New <n@from.test>',
      });
      expect(changed).toMatchObject({ status: 'published', subject: 'Two', published_at: first.published_at });
      expect(changed.updated_at > String(first.published_at)).toBe(true);
      expect(changed).toMatchObject({ current_version_id: UUID, has_unpublished_versions: true });
      expect(changed.current_version_id).not.toBe(first.current_version_id);
      expect(await send('versions')).toMatchObject({ subject: 'One', text: 'first', from: ORDER.from });

      const second = await publish('versions');
      expect(String(second.published_at) > String(first.published_at)).toBe(true);
      expect(second.updated_at).toBe(changed.updated_at);
      expect(second).toMatchObject({
        current_version_id: changed.current_version_id,
        has_unpublished_versions: false,
      });
      expect(await send('versions')).toMatchObject({ subject: 'Two', text: 'second', from: 'New <n@from.test>' });
    });

    it('needs no body and no content type, and accepts no fields', async () => {
      const { id } = await create();
      for (const action of ['publish', 'duplicate']) {
        const path = `/templates/${id}/${action}`;
        const headers = { 'content-type': 'application/json' };
        for (const options of [{}, { headers }, { body: {} }]) {
          expect((await host.request('POST', path, options)).status).toBe(200);
        }
        await expectRefused(host, ['POST', path, { body: { name: 'x' } }], invalid('`name` is not a field'), TABLES);
      }
    });

    it('copies a template into a new draft', async () => {
      const { id } = await create({ alias: 'original' });
      await publish(id);
      const { id: copy, ...rest } = await ask('POST', '/templates/original/duplicate');
      expect(copy).not.toBe(id);
      expect(rest).toMatchObject({ ...ORDER, alias: null, status: 'draft', published_at: null });
    });
  });

  describe('sending', () => {
    it('puts the variables in, escaped in html and nowhere else', async () => {
      const id = await published();
      const email = await send(id, { variables: { ID: 'A&B', NAME: `<b> & "it's"`, PRICE: 1234.5 } });
      expect(email).toMatchObject({
        from: ORDER.from,
        reply_to: ORDER.reply_to,
        subject: 'Order A&B',
        html: `<p>&lt;b&gt; &amp; &quot;it&#x27;s&quot; <b> & "it's": 1234.5</p>`,
        text: `<b> & "it's": 1234.5`,
      });
      const message = await parseMime((await sink.waitFor(1))[0]!.raw);
      expect(message).toMatchObject({ subject: 'Order A&B', from: { address: 'shop@from.test', name: 'Shop' } });
      expect(message.replyTo?.map(({ address }) => address)).toEqual(['help@from.test', 'boss@from.test']);
      expect(message.html?.trim()).toBe(email.html);
      expect(message.text?.trim()).toBe(email.text);
    });

    it('uses fallbacks, and prefers fields of the request to those of the template', async () => {
      const id = await published();
      expect(await send(id)).toMatchObject({ subject: 'Order 7', text: 'you: 9.5' });
      const own = { from: 'Own <own@from.test>', subject: 'Own {{ID}}', reply_to: 'own@from.test' };
      expect(await send(id, own)).toMatchObject({ ...own, reply_to: ['own@from.test'], text: 'you: 9.5' });
    });

    it('keeps an empty text, which switches the derived one off', async () => {
      const id = await published({ text: '', html: '<p>Only html</p>' });
      expect(await ask('GET', `/templates/${id}`)).toMatchObject({ text: '' });
      expect(await send(id)).toMatchObject({ text: '', html: '<p>Only html</p>' });
      expect((await sink.waitFor(1))[0]?.raw.toString()).not.toMatch(/text\/plain/i);
    });

    it('does not change accepted emails when the template changes or is deleted', async () => {
      const id = await published({ alias: 'goes' });
      const scheduled_at = new Date(Date.now() + host.seconds(1.5)).toISOString();
      const template = {
        from: undefined,
        subject: undefined,
        text: undefined,
        template: { id, variables: { ID: '1' } },
      };
      const email = await post(host, 'later@to.test', { ...template, scheduled_at });
      await ask('PATCH', `/templates/${id}`, { text: 'changed' });
      await publish(id);
      await ask('DELETE', `/templates/${id}`);
      await untilShown(host, email, 'delivered');
      const message = await parseMime((await sink.waitFor(1))[0]!.raw);
      expect([message.subject, message.text?.trim()]).toEqual(['Order 1', 'you: 9.5']);
    });

    it('is refused if it cannot be rendered or does not exist', async () => {
      const id = await published();
      const bare = await published({ from: null, subject: null });
      const draft = await create({ alias: 'only-a-draft' });
      const { token } = await host.account('foreign templates');
      const foreign = await host.request<{ id: string }>('POST', '/templates', { body: ORDER, token });
      await host.request('POST', `/templates/${foreign.body.id}/publish`, { token });
      const mail = { from: 'a@from.test', to: 'to@to.test' };
      const given = (variables: unknown) => ({ to: 'to@to.test', template: { id, variables } });
      const cases: [object, Refusal][] = [
        [given({}), invalid('`ID`')],
        [given({ ID: 'a\nBcc: b@to.test' }), invalid('subject')],
        [given({ ID: '1', PRICE: '9' }), invalid('`PRICE`')],
        [given({ ID: true }), invalid('`template.variables')],
        [given({ ID: 'x'.repeat(2_001) }), invalid('`template.variables')],
        [given({ 'I-D': '1' }), invalid('`template.variables`')],
        [
          given(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`K${n}`, n]))),
          invalid('`template.variables`'),
        ],
        [{ ...given({ ID: '1' }), html: '<p>' }, invalid('`template`')],
        [{ ...given({ ID: '1' }), text: '' }, invalid('`template`')],
        [{ to: 'to@to.test', template: { id: bare, variables: { ID: '1' } }, subject: 's' }, missing('from')],
        [{ ...mail, template: { id: bare, variables: { ID: '1' } } }, missing('subject')],
        [{ ...mail, template: { id: draft.id } }, invalid('`template.id`')],
        [{ ...mail, template: { id: 'only-a-draft' } }, invalid('`template.id`')],
        [{ ...mail, template: { id: foreign.body.id } }, invalid('`template.id`')],
        [{ ...mail, template: { id: randomUUID() } }, invalid('`template.id`')],
        [{ ...mail, template: { id: 'no such, alias' } }, invalid('`template.id`')],
        [{ ...mail, template: {} }, missing('template.id')],
      ];
      for (const [body, refusal] of cases) {
        await expectRefused(host, ['POST', '/emails', { body }], refusal, NOTHING_SENT);
      }
      expect(sink.offered).toHaveLength(0);
    });
  });

  it('serves the official client', async () => {
    const { templates, emails } = new Resend(host.token, { baseUrl: host.url });
    const draft = await templates.create({
      name: 'Client',
      alias: 'client',
      from: 'Shop <shop@from.test>',
      subject: 'Hello {{{NAME}}}',
      replyTo: 'help@from.test',
      html: '<p>{{{NAME}}}</p>',
      variables: [{ key: 'NAME', type: 'string', fallbackValue: 'you' }],
    });
    expect(draft.error).toBeNull();
    const id = draft.data?.id ?? '';
    expect((await templates.get('client')).data).toMatchObject({ object: 'template', id, status: 'draft' });
    expect((await templates.update(id, { name: 'Renamed', text: '{{NAME}}' })).data).toMatchObject({ id });
    expect((await templates.publish('client')).data).toMatchObject({ object: 'template', id });
    expect((await templates.list({ limit: 1 })).data?.data).toEqual([
      expect.objectContaining({ id, name: 'Renamed', status: 'published', alias: 'client' }),
    ]);
    const chained = await templates.duplicate(id).publish();
    expect(chained.data).toMatchObject({ object: 'template', id: expect.not.stringMatching(id) });

    const sent = await emails.send({ to: 'to@to.test', template: { id: 'client', variables: { NAME: 'Ada' } } });
    expect(sent.error).toBeNull();
    const [message] = await sink.waitFor(1);
    expect((await parseMime(message!.raw)).subject).toBe('Hello Ada');

    expect((await templates.remove('client')).data).toEqual({ object: 'template', id, deleted: true });
    expect((await templates.get(id)).error).toMatchObject({ statusCode: 404, name: 'not_found' });
  });
});
