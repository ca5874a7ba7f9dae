import { randomUUID } from 'node:crypto';
import { Resend } from 'resend';
import { until } from '../support/basics/wait-for.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { expectRefused, invalid, missing, NOT_FOUND, type Refusal } from '../support/rules/refusals.js';
import { followsTheRulesOfResources } from '../support/rules/resource-rules.js';

const TABLES = ['nestjs_emails.contacts', 'nestjs_emails.topic_choices'];

/** Properties in the form of an answer. */
const typed = (properties: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, { type: typeof value, value }]));

describe('/contacts', () => {
  let host: RunningHost;

  beforeAll(async () => {
    ({ host } = await shareHost());
  });

  async function create(path: string, body: object, token = host.token): Promise<{ id: string }> {
    const answer = await host.request<{ id: string }>('POST', path, { body, token });
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return answer.body;
  }

  const contact = (email: string, fields: object = {}) => create('/contacts', { email, ...fields });
  const topic = (name: string, default_subscription = 'opt_in') => create('/topics', { name, default_subscription });

  async function subscriptions(idOrEmail: string): Promise<Record<string, string>> {
    const { body } = await host.request<{ data: { id: string; subscription: string }[] }>(
      'GET',
      `/contacts/${idOrEmail}/topics?limit=100`,
    );
    return Object.fromEntries(body.data.map(({ id, subscription }) => [id, subscription]));
  }

  followsTheRulesOfResources(() => host, {
    path: '/contacts',
    object: 'contact',
    table: 'nestjs_emails.contacts',
    body: (n) => ({ email: `ada${n}@example.com`, first_name: 'Ada', last_name: 'Lovelace', unsubscribed: true }),
    required: 'email',
    misspelt: ['firstName', 'first_name'],
    change: { first_name: 'Augusta' },
    hasNames: true,
    repeats: 'contact_id',
    kept: { first_name: 'Kept', last_name: 'kept', unsubscribed: true },
    deleted: (id) => ({ contact: id }),
    more: [
      ['GET', '/topics'],
      ['PATCH', '/topics', [{ id: randomUUID(), subscription: 'opt_in' }]],
    ],
  });

  describe('fields', () => {
    it('are optional except the email', async () => {
      expect(await contact('plain@example.com', { first_name: '', last_name: null, topics: [] })).toEqual({
        object: 'contact',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: 'plain@example.com',
        first_name: null,
        last_name: null,
        unsubscribed: false,
        properties: {},
        created_at: expect.any(String),
      });
    });

    it('of segments are accepted if empty', async () => {
      const empty = { audience_id: '', segment_id: null, segments: [] };
      const { id } = await contact('no-segments@example.com', empty);
      expect((await host.request('PATCH', `/contacts/${id}`, { body: empty })).status).toBe(200);
    });

    it.each<[string, object, Refusal]>([
      ['no email', { email: undefined }, missing('email')],
      ['an email with a name', { email: 'Ada <ada@example.com>' }, invalid('`email`')],
      ['an email in brackets', { email: '<ada@example.com>' }, invalid('`email`')],
      ['two emails', { email: 'a@example.com,b@example.com' }, invalid('`email`')],
      ['an email without domain', { email: 'ada' }, invalid('`email`')],
      ['an email that is too long', { email: `${'a'.repeat(65)}@example.com` }, invalid('`email`')],
      ['an email with a bidi control', { email: 'a\u202eb@example.com' }, invalid('`email`')],
      ['an email that is an object', { email: {} }, invalid('`email`')],
      ['a first name of two lines', { first_name: 'a\nb' }, invalid('`first_name`')],
      ['a first name of 256 characters', { first_name: 'a'.repeat(256) }, invalid('`first_name`')],
      ['a last name that is a number', { last_name: 1 }, invalid('`last_name`')],
      ['unsubscribed as a text', { unsubscribed: 'true' }, invalid('`unsubscribed`')],
      ['unsubscribed as a number', { unsubscribed: 1 }, invalid('`unsubscribed`')],
      ['properties that are a text', { properties: 'x' }, invalid('`properties` must be an object')],
      ['a property that is true', { properties: { ok: 1, vip: true } }, invalid('`properties.vip`')],
      ['a property that is not finite', { properties: { n: Number.NaN, a: [1] } }, invalid('`properties.a`')],
      ['a property with NUL', { properties: { a: 'x\0' } }, invalid('`properties.a` contains NUL')],
      ['a property of the prototype', { properties: JSON.parse('{"__proto__":1}') }, invalid('`__proto__`')],
      ['an audience', { audience_id: randomUUID() }, invalid('This server has no segments.')],
      ['segments', { segments: [{ id: randomUUID() }] }, invalid('This server has no segments.')],
      ['topics that are not a list', { topics: { id: 1 } }, invalid('`topics`')],
      ['topics that are not objects', { topics: ['x'] }, invalid('`topics[0]` must be an object')],
      [
        'a topic that does not exist',
        { topics: [{ id: randomUUID(), subscription: 'opt_in' }] },
        invalid('`topics[0].id`'),
      ],
    ])('refuse %s', async (_, fields, refusal) => {
      const body = { email: 'refused@example.com', ...fields };
      await expectRefused(host, ['POST', '/contacts', { body }], refusal, TABLES);
    });

    it.each<[string, object, Refusal]>([
      ['another email', { email: 'b@example.com' }, invalid('`email` cannot be changed')],
      ['a segment', { segments: [randomUUID()] }, invalid('This server has no segments.')],
      ['a name of two lines', { last_name: 'a\nb' }, invalid('`last_name`')],
      ['unsubscribed to a text', { unsubscribed: 'no' }, invalid('`unsubscribed`')],
      ['topics', { topics: [] }, invalid('`topics`')],
    ])('cannot change %s', async (_, fields, refusal) => {
      const { id } = await contact(`${randomUUID()}@example.com`);
      const body = { first_name: 'New', ...fields };
      await expectRefused(host, ['PATCH', `/contacts/${id}`, { body }], refusal, TABLES);
    });

    it('may repeat the contact of the path in a change, by id or email in any spelling', async () => {
      const { id } = await contact('Repeated@example.com');
      const path = (idOrEmail: string) => `/contacts/${idOrEmail}`;
      const { token } = await host.account('repeats');
      const foreign = await create('/contacts', { email: 'foreign@example.com' }, token);
      for (const target of [id, 'REPEATED@example.com']) {
        for (const body of [
          { id, email: 'repeated@EXAMPLE.com' },
          { id: 'repeated@example.com', contact_id: id.toUpperCase() },
          { id: '', email: '"repeated"@example.com' },
        ]) {
          const answer = await host.request('PATCH', path(target), { body: { ...body, first_name: 'R' } });
          expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id, first_name: 'R' })]);
          const none = { ...body, topics: [{ id: randomUUID(), subscription: 'opt_in' }] };
          await expectRefused(
            host,
            ['PATCH', `${path(target)}/topics`, { body: none }],
            invalid('`topics[0].id`'),
            TABLES,
          );
        }
        for (const other of [{ id: foreign.id }, { email: 'foreign@example.com' }, { contact_id: 'nobody' }]) {
          const refusal = invalid(/^`(id|email|contact_id)` cannot be changed/);
          await expectRefused(host, ['PATCH', path(target), { body: other }], refusal, TABLES);
          const body = { ...other, topics: [{ id: randomUUID(), subscription: 'opt_in' }] };
          await expectRefused(host, ['PATCH', `${path(target)}/topics`, { body }], refusal, TABLES);
        }
      }
      const nobody = { body: { email: 'nobody@example.com' } };
      await expectRefused(host, ['PATCH', '/contacts/nobody@example.com', nobody], NOT_FOUND, TABLES);
    });

    it("of the caller's own are stored unchanged, changed one by one, and cleared by null", async () => {
      const extremes = {
        zero: 0,
        tiny: 5e-324,
        huge: 1.7976931348623157e308,
        exact: 0.1,
        max: Number.MAX_SAFE_INTEGER,
      };
      const texts = { empty: '', text: 'Straße 🦊\r\n\u202e\t"\\', long: '\u{10ffff}'.repeat(2_000), constructor: 'x' };
      const { id } = await contact('properties@example.com', { properties: { ...extremes, ...texts, absent: null } });
      const properties = { ...extremes, ...texts };
      expect((await host.request('GET', `/contacts/${id}`)).body).toMatchObject({ properties: typed(properties) });
      const patch = async (change: unknown) => {
        const answer = await host.request<{ properties: object }>('PATCH', `/contacts/${id}`, {
          body: { properties: change },
        });
        expect(answer.status).toBe(200);
        return answer.body.properties;
      };
      const changed = { ...properties, zero: 'now a text', added: 1 };
      expect(await patch({ zero: 'now a text', added: 1 })).toEqual(typed(changed));
      for (const nothing of [{}, '', [], typed(changed)]) expect(await patch(nothing)).toEqual(typed(changed));
      const { long, ...rest } = changed;
      expect(await patch({ long: null, unknown: null })).toEqual(typed(rest));
      expect(await patch(null)).toEqual({});
    });

    it("of the caller's own are limited to 100, also over several changes", async () => {
      const { id } = await contact('many-properties@example.com');
      const some = (from: number) => ({
        properties: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${from + n}`, n])),
      });
      const path = `/contacts/${id}`;
      const answers = await Promise.all([0, 60].map((from) => host.request('PATCH', path, { body: some(from) })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
        message: '`properties` takes up to 100 properties.',
      });
      const [row] = await host.query<{ count: number }>(
        'SELECT count(*)::integer FROM nestjs_emails.contacts, jsonb_object_keys(properties) WHERE id = $1',
        [id],
      );
      expect(row?.count).toBe(60);
    });

    it('change when named, and are cleared by null', async () => {
      const before = await contact('change@example.com', { first_name: 'A', last_name: 'B' });
      const patch = async (body: object) =>
        (await host.request('PATCH', '/contacts/change@example.com', { body })).body;
      expect(await patch({ first_name: 'C' })).toEqual({ ...before, first_name: 'C' });
      expect(await patch({ last_name: null, unsubscribed: true })).toEqual({
        ...before,
        first_name: 'C',
        last_name: null,
        unsubscribed: true,
      });
      expect(await patch({ unsubscribed: null })).toMatchObject({ unsubscribed: true });
      expect(await patch({ unsubscribed: false })).toMatchObject({ unsubscribed: false, first_name: 'C' });
    });
  });

  describe('email', () => {
    it.each([
      ['Grace.Hopper@Example.COM', 'grace.hopper@example.com'],
      ['with+plus/slash%percent@example.com', 'WITH+PLUS/SLASH%PERCENT@EXAMPLE.COM'],
      ['jörg@bücher.example', 'JÖRG@xn--bcher-kva.example'],
      ['"quoted"@example.com', 'quoted@example.com'],
      ["o'hara@example.com", "O'Hara@example.com"],
    ])('%s is found as %s, and shown as it was written', async (written, other) => {
      const created = await contact(written);
      expect(created).toMatchObject({ email: written });
      for (const email of [written, other]) {
        const path = `/contacts/${encodeURIComponent(email)}`;
        expect((await host.request('GET', path)).body).toEqual(created);
        expect((await host.request('GET', `${path}/topics`)).status).toBe(200);
        expect((await host.request('PATCH', path, { body: { first_name: 'X' } })).body).toMatchObject({
          id: created.id,
        });
        await host.request('PATCH', path, { body: { first_name: null } });
      }
      expect(await contact(other)).toEqual(created);
      const deleted = await host.request('DELETE', `/contacts/${encodeURIComponent(other)}`);
      expect(deleted.body).toEqual({ object: 'contact', id: created.id, contact: created.id, deleted: true });
    });

    it('is unique also among concurrent requests', async () => {
      const requests = Array.from({ length: 20 }, (_, n) =>
        host.request('POST', '/contacts', { body: { email: n % 2 ? 'race@example.com' : 'RACE@example.com' } }),
      );
      const answers = await Promise.all(requests);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    });

    it('of a contact that exists writes the given fields, and keeps its id and the others', async () => {
      const [news, offers] = [await topic('News'), await topic('Offers')];
      const { id } = await contact('Again@example.com', {
        first_name: 'Ada',
        last_name: 'Lovelace',
        properties: { plan: 'pro', seats: 3 },
        topics: [{ id: news.id, subscription: 'opt_out' }],
      });
      const again = await contact('again@example.com', {
        first_name: 'Augusta',
        last_name: '',
        unsubscribed: true,
        properties: { plan: 'free' },
        topics: [{ id: offers.id, subscription: 'opt_out' }],
      });
      expect(again).toEqual({
        object: 'contact',
        id,
        email: 'Again@example.com',
        first_name: 'Augusta',
        last_name: 'Lovelace',
        unsubscribed: true,
        properties: typed({ plan: 'free', seats: 3 }),
        created_at: expect.any(String),
      });
      expect((await host.request('GET', `/contacts/${id}`)).body).toEqual(again);
      const chosen = await subscriptions(id);
      expect([chosen[news.id], chosen[offers.id]]).toEqual(['opt_out', 'opt_out']);
    });

    it('of a contact that exists is refused whole with a topic that does not exist, or too many properties', async () => {
      const many = (prefix: string) => Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`${prefix}${n}`, n]));
      await contact('whole@example.com', { properties: many('a') });
      const wrong: [object, string][] = [
        [{ topics: [{ id: randomUUID(), subscription: 'opt_in' }] }, '`topics[0].id`'],
        [{ properties: many('b') }, '`properties` takes up to 100 properties'],
      ];
      for (const [fields, message] of wrong) {
        const body = { email: 'whole@example.com', first_name: 'New', ...fields };
        await expectRefused(host, ['POST', '/contacts', { body }], invalid(message), TABLES);
      }
    });

    it('belongs to its account alone', async () => {
      const { token } = await host.account('same emails');
      const mine = await contact('shared@example.com');
      const theirs = await create('/contacts', { email: 'shared@example.com' }, token);
      expect(theirs.id).not.toBe(mine.id);
      await host.request('DELETE', '/contacts/shared@example.com');
      expect((await host.request('GET', '/contacts/shared@example.com', { token })).body).toMatchObject(theirs);
      await expectRefused(host, ['GET', '/contacts/shared@example.com'], NOT_FOUND, TABLES);
    });
  });

  describe('topics', () => {
    it('are listed with the choice, or else the default', async () => {
      const { token } = await host.account('topics of a contact');
      const created_at = expect.stringMatching(/\.\d{6}\+00$/);
      const first = await create('/topics', { name: 'First', default_subscription: 'opt_in' }, token);
      const fields = { name: 'Second', description: 'd', default_subscription: 'opt_out' };
      const second = await create('/topics', fields, token);
      const { id } = await create('/contacts', { email: 'a@example.com' }, token);
      const list = (query = '') => host.request('GET', `/contacts/${id}/topics${query}`, { token });
      const entries = [
        { id: second.id, name: 'Second', description: 'd', subscription: 'opt_out', created_at },
        { id: first.id, name: 'First', description: null, subscription: 'opt_in', created_at },
      ];
      expect((await list()).body).toEqual({ object: 'list', has_more: false, data: entries });
      expect((await list('?limit=1')).body).toEqual({ object: 'list', has_more: true, data: [entries[0]] });
      expect((await list(`?after=${second.id}`)).body).toMatchObject({ data: [entries[1]] });
      expect((await list(`?before=${first.id}`)).body).toMatchObject({ data: [entries[0]] });
      expect((await list('?after=none')).status).toBe(422);
      expect((await list('?limit=0')).status).toBe(422);
    });

    it('are chosen by a list or an object, and others keep their choice', async () => {
      const [one, two] = [await topic('one', 'opt_in'), await topic('two', 'opt_out')];
      const { id } = await contact('choices@example.com');
      const patch = async (body: unknown) => {
        const answer = await host.request<{ topics: { id: string; subscription: string }[] }>(
          'PATCH',
          '/contacts/CHOICES@example.com/topics',
          { body },
        );
        const topics = expect.any(Array);
        expect([answer.status, answer.body]).toEqual([200, { object: 'contact_topics', id, contact_id: id, topics }]);
        const { data } = (await host.request<{ data: { id: string }[] }>('GET', `/contacts/${id}/topics?limit=100`))
          .body;
        const named = answer.body.topics.map((entry) => data.find(({ id }) => id === entry.id));
        expect(answer.body.topics).toEqual(named);
        return subscriptions(id);
      };
      expect(await patch([{ id: one.id, subscription: 'opt_out' }])).toMatchObject({ [one.id]: 'opt_out' });
      expect(await patch({ topics: [{ id: two.id.toUpperCase(), subscription: 'opt_in' }] })).toMatchObject({
        [one.id]: 'opt_out',
        [two.id]: 'opt_in',
      });
      const both = [one.id, two.id].map((topicId) => ({ id: topicId, subscription: 'opt_in' }));
      expect(await patch(both)).toMatchObject({ [one.id]: 'opt_in', [two.id]: 'opt_in' });
    });

    it('can be chosen at the creation of a contact', async () => {
      const { id } = await topic('at creation');
      const created = await contact('chosen@example.com', { topics: [{ id, subscription: 'opt_out' }] });
      expect(await subscriptions(created.id)).toMatchObject({ [id]: 'opt_out' });
    });

    it('are deleted with their choices, like contacts', async () => {
      const [one, two] = [await topic('goes'), await topic('stays')];
      const choices = [one, two].map(({ id }) => ({ id, subscription: 'opt_out' }));
      const { id } = await contact('goes@example.com', { topics: choices });
      const count = async () =>
        (await host.query('SELECT topic_id FROM nestjs_emails.topic_choices WHERE contact_id = $1', [id])).length;
      await host.request('DELETE', `/topics/${one.id}`);
      expect(await count()).toBe(1);
      await host.request('DELETE', `/contacts/${id}`);
      expect(await count()).toBe(0);
      const again = await contact('goes@example.com');
      expect(await subscriptions(again.id)).toMatchObject({ [two.id]: 'opt_in' });
    });

    it('are all refused for a single problem', async () => {
      const { token } = await host.account('foreign topics');
      const foreign = await create('/topics', { name: 'Foreign', default_subscription: 'opt_in' }, token);
      const { id: good } = await topic('good');
      const { id } = await contact('refused-choices@example.com');
      const valid = { id: good, subscription: 'opt_out' };
      const cases: [unknown, Refusal][] = [
        [{}, missing('topics')],
        [[], missing('topics')],
        [{ topics: null }, missing('topics')],
        [{ topics: 'x' }, invalid('`topics`')],
        [{ topcis: [valid] }, invalid('Did you mean `topics`')],
        [[valid, 'x'], invalid('`topics[1]` must be an object')],
        [[valid, [valid]], invalid('`topics[1]` must be an object')],
        [[valid, { subscription: 'opt_in' }], missing('topics[1].id')],
        [[valid, { id: foreign.id }], missing('topics[1].subscription')],
        [[valid, { id: 'x', subscription: 'opt_in' }], invalid('`topics[1].id`')],
        [[valid, { id: foreign.id, subscription: 'opt_in' }], invalid('`topics[1].id` must be the id of a topic')],
        [[valid, { id: randomUUID(), subscription: 'opt_in' }], invalid('`topics[1].id` must be the id of a topic')],
        [[valid, { id: foreign.id, subscription: 'in' }], invalid('`topics[1].subscription`')],
        [[valid, { id: good.toUpperCase(), subscription: 'opt_in' }], invalid('`topics[1].id`')],
        [[{ ...valid, subscripton: 'opt_in' }], invalid('Did you mean `topics[0].subscription`?')],
        ['{', { status: 400, name: 'validation_error', message: 'JSON' }],
      ];
      for (const [body, refusal] of cases) {
        await expectRefused(host, ['PATCH', `/contacts/${id}/topics`, { body }], refusal, TABLES);
      }
      await expectRefused(host, ['PATCH', '/contacts/nobody@example.com/topics', { body: [valid] }], NOT_FOUND, TABLES);
    });

    it('survive concurrent requests for one contact, and its deletion meanwhile', async () => {
      const topics = await Promise.all(Array.from({ length: 4 }, (_, n) => topic(`parallel ${n}`)));
      const { id } = await contact('parallel@example.com');
      const choose = (n: number) => {
        const order = n % 2 ? topics : topics.toReversed();
        const body = order.map((entry) => ({ id: entry.id, subscription: n % 3 ? 'opt_in' : 'opt_out' }));
        return host.request('PATCH', `/contacts/${id}/topics`, { body });
      };
      const statuses = (await Promise.all(Array.from({ length: 20 }, (_, n) => choose(n)))).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));

      const racing = Array.from({ length: 10 }, (_, n) => choose(n));
      const removal = host.request('DELETE', `/contacts/${id}`);
      const topicRemoval = host.request('DELETE', `/topics/${topics[0]?.id}`);
      for (const { status } of await Promise.all(racing)) expect([200, 404, 422]).toContain(status);
      expect([(await removal).status, (await topicRemoval).status]).toEqual([200, 200]);
    });
  });

  describe('subscribers', () => {
    const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const SUBSCRIBER = 'tests-of-contacts';

    beforeEach(() =>
      host.query('INSERT INTO nestjs_emails.event_subscriptions (subscriber) VALUES ($1)', [SUBSCRIBER]),
    );

    afterEach(async () => {
      await host.query('DELETE FROM nestjs_emails.event_subscriptions WHERE subscriber = $1', [SUBSCRIBER]);
      await host.query('DELETE FROM nestjs_emails.event_outbox WHERE subscriber = $1', [SUBSCRIBER]);
    });

    /** Events published since the last call. */
    async function published() {
      const rows = await host.query<{ event_id: string; type: string; data: object }>(
        'DELETE FROM nestjs_emails.event_outbox WHERE subscriber = $1 AND data IS NOT NULL RETURNING event_id, type, data',
        [SUBSCRIBER],
      );
      return rows.toSorted((a, b) => Number(a.event_id) - Number(b.event_id)).map(({ type, data }) => [type, data]);
    }

    const dataOf = (id: string, email: string, fields: object = {}) => ({
      id,
      audience_id: expect.any(String),
      segment_ids: [],
      created_at: TIME,
      updated_at: TIME,
      email,
      first_name: 'Ada',
      last_name: null,
      unsubscribed: false,
      ...fields,
    });

    it('get changes of contacts, and nothing without a change', async () => {
      const { id } = await contact('Told@example.com', { first_name: 'Ada' });
      const change = (body: object) => host.request('PATCH', `/contacts/${id}`, { body });
      await change({ unsubscribed: true });
      await change({ unsubscribed: true });
      await change({ properties: { key: 'value' } });
      await change({});
      await host.request('DELETE', `/contacts/${id}`);
      expect(await published()).toEqual([
        ['contact.created', dataOf(id, 'Told@example.com')],
        ['contact.updated', dataOf(id, 'Told@example.com', { unsubscribed: true })],
        ['contact.deleted', dataOf(id, 'Told@example.com', { unsubscribed: true })],
      ]);
    });

    it('get changes of topics and of choices', async () => {
      const [one, two] = [(await topic('told one')).id, (await topic('told two')).id];
      const name = 'told two, renamed';
      await host.request('PATCH', `/topics/${two}`, { body: { name } });
      await host.request('PATCH', `/topics/${two}`, { body: { name, visibility: 'public' } });
      const topics = (subscription: string) => [
        { id: one, subscription },
        { id: two, subscription: 'opt_out' },
      ];
      const { id } = await contact('choices-told@example.com', { topics: [{ id: one, subscription: 'opt_in' }] });
      await host.request('PATCH', `/contacts/${id}/topics`, { body: topics('opt_in') });
      await host.request('PATCH', `/contacts/${id}/topics`, { body: topics('opt_out') });
      await host.request('DELETE', `/topics/${two}`);

      const email = 'choices-told@example.com';
      const chosen = (topicId: string, subscription: string) => [
        'contact.topics.updated',
        { email, topics: [{ id: topicId, subscription }] },
      ];
      const shown = (topicId: string, fields: object) => ({
        id: topicId,
        description: null,
        default_subscription: 'opt_in',
        deleted: false,
        created_at: TIME,
        updated_at: TIME,
        ...fields,
      });
      expect(await published()).toEqual([
        ['topic.created', shown(one, { name: 'told one' })],
        ['topic.created', shown(two, { name: 'told two' })],
        ['topic.updated', shown(two, { name })],
        ['contact.created', expect.objectContaining({ id })],
        chosen(one, 'opt_in'),
        chosen(two, 'opt_out'),
        chosen(one, 'opt_out'),
        ['topic.deleted', shown(two, { name, deleted: true })],
      ]);
    });

    it('do not get the address of an erased contact', async () => {
      const { id } = await contact('gone@person.test', { first_name: 'Gone', last_name: 'Person' });
      await published();
      await host.request('POST', '/erasures', { body: { email: 'GONE@person.test' } });
      const isThere = async () => (await host.request('GET', `/contacts/${id}`)).status === 200;
      await until(async () => !(await isThere()), { what: 'the contact to be erased' });
      const erased = dataOf(id, 'erased@erased.invalid', { first_name: null, last_name: null });
      expect(await published()).toEqual([['contact.deleted', erased]]);
    });

    it('get `contact.updated` for a contact that is written again, if that changes something', async () => {
      const { id } = await contact('Written@example.com', { first_name: 'Ada' });
      await published();
      await contact('written@example.com', { first_name: 'Ada' });
      expect(await published()).toEqual([]);
      await contact('written@example.com', { first_name: 'Augusta' });
      const changed = dataOf(id, 'Written@example.com', { first_name: 'Augusta' });
      expect(await published()).toEqual([['contact.updated', changed]]);
    });
  });

  it('serves the official client', async () => {
    const { contacts } = new Resend(host.token, { baseUrl: host.url });
    const { id: topicId } = await topic('client');
    const email = 'Client@example.com';
    const created = await contacts.create({ email, firstName: 'A', lastName: 'B', unsubscribed: false });
    expect(created.error).toBeNull();
    const id = created.data?.id ?? '';
    expect((await contacts.get(id)).data).toMatchObject({ object: 'contact', id, email, first_name: 'A' });
    expect((await contacts.get({ email: 'client@EXAMPLE.com' })).data).toMatchObject({ id, last_name: 'B' });
    expect((await contacts.update({ email, firstName: null, unsubscribed: true })).data).toMatchObject({ id });
    expect((await contacts.get(id)).data).toMatchObject({ first_name: null, last_name: 'B', unsubscribed: true });
    expect((await contacts.list({ limit: 1 })).data?.data).toEqual([expect.objectContaining({ id })]);

    const topics = [{ id: topicId, subscription: 'opt_out' as const }];
    expect((await contacts.topics.update({ email, topics })).data).toMatchObject({ id, contact_id: id, topics });
    const list = await contacts.topics.list({ id, limit: 100 });
    expect(list.data?.data).toContainEqual(
      expect.objectContaining({ id: topicId, name: 'client', subscription: 'opt_out' }),
    );

    const again = await contacts.create({ email: 'client@example.com', firstName: 'Again' });
    expect(again).toMatchObject({ error: null, data: { object: 'contact', id } });
    expect((await contacts.get(id)).data).toMatchObject({ email, first_name: 'Again', last_name: 'B' });
    expect((await contacts.remove({ email })).data).toMatchObject({ object: 'contact', deleted: true });
    expect((await contacts.get(email)).error).toMatchObject({ statusCode: 404, name: 'not_found' });
  });
});
