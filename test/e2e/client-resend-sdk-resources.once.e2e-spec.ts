import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Resend } from 'resend';
import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { headerNames, parseMime } from '../support/reading/mime.js';
import { ok } from '../support/requests/sdk-answer.js';
import { FileServer } from '../support/servers/file-server.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/);

/** Resources other than emails, through the official client. */
describe('the official client manages', () => {
  let sink: SmtpSink;
  let host: RunningHost;
  let resend: Resend;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await startHost({ smtp: sink, env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' } });
    resend = new Resend(host.token, { baseUrl: host.url });
  });

  const delivered = (id: string): Promise<SinkMessage> =>
    sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${id}@`));

  it('API keys: create, list, use, remove', async () => {
    const made = await ok(resend.apiKeys.create({ name: 'ours', permission: 'sending_access' }));
    expect(made).toEqual({ object: 'api_key', id: ID, token: expect.stringMatching(/^re_.{43,}$/) });
    const theirs = new Resend(made.token, { baseUrl: host.url });
    await ok(theirs.emails.send({ from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'Hi' }));
    const { data: keys, has_more } = await ok(resend.apiKeys.list());
    expect(has_more).toBe(false);
    expect(keys).toContainEqual({
      id: made.id,
      name: 'ours',
      created_at: TIME,
      last_used_at: expect.anything(),
      permission: 'sending_access',
      page_role: null,
      domain_id: null,
      token_start: made.token.slice(0, 8),
    });
    expect(JSON.stringify(keys)).not.toContain(made.token);
    expect(await ok(resend.apiKeys.update(made.id, { name: 'ours again' }))).toEqual({
      object: 'api_key',
      id: made.id,
    });
    const path = `/api-keys/${made.id}`;
    for (const body of [{ name: 'renamed' }, { name: '', id: made.id }, { name: null, api_key_id: made.id }]) {
      const renamed = await host.request('PATCH', path, { body });
      expect([renamed.status, renamed.body]).toEqual([200, { object: 'api_key', id: made.id }]);
    }
    expect((await host.request('PATCH', path, { body: { name: 'x'.repeat(51) } })).status).toBe(422);
    expect((await ok(resend.apiKeys.list())).data).toContainEqual(
      expect.objectContaining({ id: made.id, name: 'renamed' }),
    );
    await ok(resend.apiKeys.remove(made.id));
    expect((await host.request('PATCH', path, { body: { name: 'gone' } })).status).toBe(404);
    await eventually(async () => expect((await theirs.emails.list()).error?.name).toBe('invalid_api_key'));
  });

  it('topics: create, get, list, update, remove', async () => {
    const { id } = await ok(
      resend.topics.create({ name: 'News', description: 'Now and then', defaultSubscription: 'opt_in' }),
    );
    expect(await ok(resend.topics.get(id))).toEqual({
      object: 'topic',
      id,
      name: 'News',
      description: 'Now and then',
      default_subscription: 'opt_in',
      visibility: 'private',
      created_at: TIME,
    });
    expect((await ok(resend.topics.list())).data).toContainEqual(expect.objectContaining({ id, name: 'News' }));
    expect(await ok(resend.topics.update({ id, name: 'Old news' }))).toMatchObject({ id });
    expect(await ok(resend.topics.get(id))).toMatchObject({ name: 'Old news', description: 'Now and then' });
    expect(await ok(resend.topics.remove(id))).toEqual({ object: 'topic', id, deleted: true });
    expect((await resend.topics.get(id)).error).toMatchObject({ name: 'not_found', statusCode: 404 });
  });

  it('contacts: create, get, list, update, remove, by id and by email', async () => {
    const made = await ok(
      resend.contacts.create({
        email: 'Ada+1@Contacts.test',
        firstName: 'Ada',
        lastName: 'L',
        unsubscribed: false,
        properties: { plan: 'pro', seats: 5 },
      }),
    );
    expect(made).toMatchObject({ object: 'contact', id: ID });
    const contact = {
      object: 'contact',
      id: made.id,
      email: 'Ada+1@Contacts.test',
      first_name: 'Ada',
      last_name: 'L',
      unsubscribed: false,
      properties: { plan: { type: 'string', value: 'pro' }, seats: { type: 'number', value: 5 } },
      created_at: TIME,
    };
    expect(await ok(resend.contacts.get(made.id))).toEqual(contact);
    expect(await ok(resend.contacts.get({ email: 'ada+1@contacts.TEST' }))).toEqual(contact);
    expect((await ok(resend.contacts.list({ limit: 100 }))).data).toContainEqual(contact);
    const email = 'ada+1@contacts.test';
    expect(
      await ok(resend.contacts.update({ email, firstName: null, unsubscribed: true, properties: { seats: null } })),
    ).toMatchObject({
      object: 'contact',
      id: made.id,
    });
    expect(await ok(resend.contacts.get({ id: made.id }))).toEqual({
      ...contact,
      first_name: null,
      unsubscribed: true,
      properties: { plan: { type: 'string', value: 'pro' } },
    });
    // The client's type has `contact` in place of `id`; the contract has both.
    const removed = { object: 'contact', id: made.id, contact: made.id, deleted: true };
    expect(await ok(resend.contacts.remove({ email }))).toEqual(removed);
    expect((await resend.contacts.get(made.id)).error).toMatchObject({ name: 'not_found', statusCode: 404 });
  });

  it('no missing resource, and gets a clear error', async () => {
    const not_found = (message: string) => ({ name: 'not_found', statusCode: 404, message });
    expect((await resend.broadcasts.list()).error).toEqual(not_found('This server has no broadcasts.'));
    expect((await resend.contacts.list({ segmentId: 'x' })).error).toEqual(not_found('This server has no segments.'));
    expect((await resend.contacts.create({ audienceId: 'x', email: 'a@b.test' })).error).toEqual(
      not_found('This server has no audiences.'),
    );
    const segments = [{ id: '0198f0c1-0000-7000-8000-000000000000' }];
    expect((await resend.contacts.create({ email: 'a@b.test', segments })).error).toMatchObject({
      name: 'validation_error',
      message: '`segments` must be left out. This server has no segments.',
    });
  });

  it('the choices of contacts, which decide about recipients', async () => {
    const topic = await ok(resend.topics.create({ name: 'Offers', defaultSubscription: 'opt_out' }));
    const [yes, no] = ['yes@choices.test', 'no@choices.test'];
    await ok(resend.contacts.create({ email: yes, topics: [{ id: topic.id, subscription: 'opt_in' }] }));
    await ok(resend.contacts.create({ email: no }));
    await ok(resend.contacts.topics.update({ email: no, topics: [{ id: topic.id, subscription: 'opt_in' }] }));
    await ok(resend.contacts.topics.update({ email: no, topics: [{ id: topic.id, subscription: 'opt_out' }] }));
    const choices = await ok(resend.contacts.topics.list({ email: no, limit: 100 }));
    expect(choices).toMatchObject({ object: 'list', has_more: false });
    expect(choices.data).toContainEqual({
      id: topic.id,
      name: 'Offers',
      description: null,
      subscription: 'opt_out',
      created_at: TIME,
    });

    const sent = await ok(
      resend.emails.send({
        from: 'a@from.test',
        to: [yes, no],
        cc: 'stranger@choices.test',
        subject: 'An offer',
        text: 'Cheap',
        topicId: topic.id,
      }),
    );
    const message = await delivered(sent.id);
    expect(message.envelope.to).toEqual([yes]);
    expect((await parseMime(message.raw)).to).toMatchObject([{ address: yes }]);
    expect(headerNames(message.raw)).not.toContain('cc');
  });

  it('templates: create, publish, get, list, update, duplicate, remove, and sends with one', async () => {
    const draft = resend.templates.create({
      name: 'Welcome',
      alias: 'welcome',
      from: 'Team <team@from.test>',
      replyTo: 'help@from.test',
      subject: 'Hello {{NAME}}',
      html: '<p>{{NAME}} pays {{{AMOUNT}}}</p>',
      text: '{{NAME}} pays {{AMOUNT}}',
      variables: [
        { key: 'NAME', type: 'string', fallbackValue: 'you' },
        { key: 'AMOUNT', type: 'number' },
      ],
    });
    const published = await ok(draft.publish());
    expect(published).toMatchObject({ object: 'template', id: ID });
    expect(await ok(resend.templates.get('welcome'))).toMatchObject({
      object: 'template',
      id: published.id,
      name: 'Welcome',
      alias: 'welcome',
      status: 'published',
      from: 'Team <team@from.test>',
      reply_to: ['help@from.test'],
      variables: [
        { id: ID, key: 'NAME', type: 'string', fallback_value: 'you', created_at: TIME, updated_at: TIME },
        { id: ID, key: 'AMOUNT', type: 'number', fallback_value: null, created_at: TIME, updated_at: TIME },
      ],
      current_version_id: ID,
      has_unpublished_versions: false,
      published_at: TIME,
      created_at: TIME,
      updated_at: TIME,
    });

    const sent = await ok(
      resend.emails.send({
        to: 'b@to.test',
        template: { id: 'welcome', variables: { NAME: '<Ada>', AMOUNT: 7 } },
      }),
    );
    expect(await parseMime((await delivered(sent.id)).raw)).toMatchObject({
      from: { name: 'Team', address: 'team@from.test' },
      replyTo: [{ address: 'help@from.test' }],
      subject: 'Hello <Ada>',
      html: expect.stringContaining('<p>&lt;Ada&gt; pays 7</p>'),
      text: expect.stringMatching(/^<Ada> pays 7\s*$/),
    });
    const missing = await resend.emails.send({ to: 'b@to.test', template: { id: 'welcome', variables: {} } });
    expect(missing.error).toMatchObject({ statusCode: 422, message: expect.stringContaining('AMOUNT') });

    await ok(resend.templates.update(published.id, { subject: 'Changed' }));
    const own = await ok(
      resend.emails.send({
        from: 'me@from.test',
        to: 'b@to.test',
        subject: 'Mine',
        template: { id: published.id, variables: { AMOUNT: 1 } },
      }),
    );
    expect(await parseMime((await delivered(own.id)).raw)).toMatchObject({
      from: { address: 'me@from.test' },
      subject: 'Mine',
      html: expect.stringContaining('you pays 1'),
    });

    const copy = await ok(resend.templates.duplicate('welcome'));
    expect(copy.id).not.toBe(published.id);
    const { data: templates } = await ok(resend.templates.list({ limit: 100 }));
    expect(templates.map(({ id }) => id)).toEqual(expect.arrayContaining([published.id, copy.id]));
    expect(await ok(resend.templates.remove('welcome'))).toEqual({
      object: 'template',
      id: published.id,
      deleted: true,
    });
    expect((await resend.templates.get('welcome')).error).toMatchObject({ name: 'not_found' });
  });

  it('webhooks: create, get, list, update, rotate, verify, their events, attempts, replay, remove', async () => {
    const receiver = await FileServer.start();
    const got: { headers: IncomingHttpHeaders; payload: string }[] = [];
    receiver.routes['/hook'] = async (request, response) => {
      got.push({ headers: request.headers, payload: await text(request) });
      response.end('thanks');
    };
    const endpoint = `${receiver.url}/hook`;
    const made = await ok(resend.webhooks.create({ endpoint, events: ['email.delivered', 'contact.topics.updated'] }));
    expect(made).toEqual({ object: 'webhook', id: ID, signing_secret: expect.stringMatching(/^whsec_/) });
    const { id } = made;
    const inList = {
      id,
      created_at: TIME,
      status: 'enabled',
      endpoint,
      events: ['email.delivered', 'contact.topics.updated'],
    };
    expect(await ok(resend.webhooks.list())).toEqual({ object: 'list', has_more: false, data: [inList] });
    expect((await ok(resend.webhooks.list({ limit: 1, after: id }))).data).toEqual([]);
    expect(await ok(resend.webhooks.get(id))).toEqual({
      object: 'webhook',
      ...inList,
      signing_secret: made.signing_secret,
    });
    for (const changes of [
      { events: ['email.sent' as const] },
      { status: 'disabled' as const },
      { status: 'enabled' as const },
    ])
      expect(await ok(resend.webhooks.update(id, changes))).toEqual({ object: 'webhook', id });
    const rotated = await ok(resend.webhooks.rotateSigningSecret(id));
    expect(rotated).toEqual({ object: 'webhook', id, signing_secret: expect.stringMatching(/^whsec_/) });

    const sent = await ok(resend.emails.send({ from: 'a@from.test', to: 'b@to.test', subject: 'Told', text: 'Hi' }));
    const events = resend.webhooks.events;
    await eventually(async () =>
      expect((await ok(events.list({ webhookId: id }))).data).toMatchObject([
        { type: 'email.sent', status: 'success' },
      ]),
    );
    for (const { headers, payload } of got) {
      for (const webhookSecret of [made.signing_secret, rotated.signing_secret]) {
        const signed = (name: string) => String(headers[`svix-${name}`]);
        const proof = { id: signed('id'), timestamp: signed('timestamp'), signature: signed('signature') };
        const event = resend.webhooks.verify({ payload, headers: proof, webhookSecret });
        expect(event).toMatchObject({ type: 'email.sent', data: { email_id: sent.id, to: ['b@to.test'] } });
      }
    }
    const { data, has_more } = await ok(events.list({ webhookId: id, limit: 1 }));
    expect(has_more).toBe(false);
    const of = { webhookId: id, eventId: data[0]?.id ?? '' };
    expect(of.eventId).toBe(got[0]?.headers['svix-id']);
    expect(await ok(events.get(of))).toEqual({
      object: 'webhook_event',
      ...data[0],
      next_attempt_at: null,
      payload: JSON.parse(got[0]?.payload ?? ''),
    });
    expect(await ok(events.replay(of))).toEqual({ object: 'webhook_event', id: of.eventId });
    await eventually(async () => {
      const { data: attempts } = await ok(events.attempts.list({ ...of, limit: 5 }));
      expect(attempts).toMatchObject([{ http_status_code: 200 }, { http_status_code: 200, response: 'thanks' }]);
    });
    expect(await ok(resend.webhooks.remove(id))).toEqual({ object: 'webhook', id, deleted: true });
    expect((await resend.webhooks.get(id)).error).toMatchObject({ name: 'not_found', message: 'Webhook not found' });
  });
});
