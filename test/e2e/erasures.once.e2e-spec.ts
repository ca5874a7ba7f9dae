import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, type Refusal } from '../support/hosts/contract-host.js';
import { attemptsOf, eventsOf } from '../support/reading/deliveries.js';
import { ERASED, Erasing, FILE, someone } from '../support/requests/erasing.js';

let another: string;
let api: ContractHost;
let people: Erasing;

beforeAll(async () => {
  api = await ContractHost.start();
  people = new Erasing(api);
  another = (await api.host.account('another')).token;
});

beforeEach(() => api.sink.reset());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: api.host.databaseUrl });
  await client.connect();
  afterFile(() => client.end());
  return client;
}

describe('POST /erasures', () => {
  const WRONG: Refusal = {
    status: 422,
    name: 'validation_error',
    message: /^`email` must be one address such as `name@example.com`, without a name/,
  };

  it.each([
    [{}, { status: 422, name: 'missing_required_field', message: 'Missing `email` field.' }],
    [{ email: 'nobody' }, WRONG],
    [{ email: 'Jane <jane@person.test>' }, WRONG],
    [{ email: 'a@b.test,c@d.test' }, WRONG],
    [{ email: ['a@b.test'] }, WRONG],
    [
      { email: 'a@b.test', all: true },
      { status: 422, name: 'validation_error', message: '`all` is not a field' },
    ],
  ])('refuses %j, with nothing written', (body, refusal) =>
    api.refuseRequest('POST', '/erasures', { body }, refusal as Refusal),
  );

  it('is answered at once, and visible to the account alone', async () => {
    const id = await people.erase(someone());
    await people.untilFinished(id);
    const notFound: Refusal = { status: 404, name: 'not_found', message: 'Erasure not found' };
    await api.refuseRequest('GET', `/erasures/${id}`, { token: another }, notFound);
    await api.refuseRequest('GET', `/erasures/${randomUUID()}`, {}, notFound);
    await api.refuseRequest(
      'GET',
      '/erasures/x',
      {},
      { status: 422, name: 'invalid_parameter', message: 'valid UUID' },
    );
    await api.refuseRequest(
      'DELETE',
      `/erasures/${id}`,
      {},
      { status: 405, name: 'method_not_allowed', message: 'GET' },
    );
  });

  it('needs full access', async () => {
    const { body } = await api.host.request<{ token: string }>('POST', '/api-keys', {
      body: { name: 'sender', permission: 'sending_access' },
    });
    const refusal: Refusal = { status: 401, name: 'restricted_api_key', message: '' };
    await api.refuseRequest('POST', '/erasures', { body: { email: someone() }, token: body.token }, refusal);
  });
});

describe('a person who is erased', () => {
  it('is in no record of the account any more, for any spelling of the address', async () => {
    const name = someone().split('@')[0]!;
    const written = `${name}@pérson.test`;
    const spellings = [`Jane Doe <${name.toUpperCase()}@xn--prson-bsa.test>`, `"${name}"@PÉRSON.test`, written];
    api.sink.onRcpt = (address) => (address.includes(name) ? `550 5.1.1 <${address}> unknown` : undefined);
    await people.sent({
      to: spellings[0],
      headers: { 'X-For': `who=${name}%40XN--prson-bsa.test` },
      attachments: [FILE],
    });
    await people.sent({ to: ['bob@person.test', spellings[1]!], subject: 'Both' });
    await people.sent({
      to: 'bob@person.test',
      cc: spellings[2],
      bcc: spellings[1],
      message_id: `<1.${name}@xn--prson-bsa.test>`,
    });
    await people.sent({ from: spellings[0], to: 'bob@person.test', reply_to: written, text: 'From a person' });
    await people.scheduled({ to: spellings[1], subject: 'Never' });
    await api.host.request('POST', '/contacts', { body: { email: written, first_name: 'Jane' } });
    const { body: topic } = await api.host.request<{ id: string }>('POST', '/topics', {
      body: { name: 'News', default_subscription: 'opt_in' },
    });
    await api.host.request('PATCH', `/contacts/${written}/topics`, {
      body: [{ id: topic.id, subscription: 'opt_out' }],
    });
    const { body: template } = await api.host.request<{ id: string }>('POST', '/templates', {
      body: {
        name: 'Letter',
        from: spellings[0],
        reply_to: [spellings[1], 'desk@person.test'],
        subject: 'Hello',
        text: 'x',
      },
    });
    await api.host.request('POST', `/templates/${template.id}/publish`);
    expect(new Set(await people.whereIs(name))).toEqual(
      new Set(['emails', 'deliveries', 'attempts', 'events', 'contacts', 'suppressions', 'templates']),
    );
    await people.untilErased(spellings[1]!);
    expect(await people.whereIs(name)).toEqual([]);
    expect(await people.whereIs('Jane Doe')).toEqual([]);
    expect(await api.host.query('SELECT FROM nestjs_emails.topic_choices')).toEqual([]);
    const { id } = template;
    expect((await api.host.request('GET', `/templates/${id}`)).body).toMatchObject({
      from: null,
      reply_to: ['desk@person.test'],
    });
    const { mail } = await api.deliver({ subject: undefined, text: undefined, template: { id } });
    expect(mail.replyTo).toEqual([{ name: '', address: 'desk@person.test' }]);
    expect(api.host.output.toLowerCase()).not.toContain(name);
  });

  it('changes neither the counts nor the mail of the account to others', async () => {
    const person = someone();
    const alone = await people.sent({ to: person, subject: 'Dear Jane', html: '<p>x</p>', attachments: [FILE] });
    const both = await people.sent({ to: [person, 'bob@person.test'], subject: 'Dear both', attachments: [FILE] });
    const mentioned = await people.sent({ to: 'bob@person.test', reply_to: person, subject: 'About Jane' });
    const [events, attempts] = [await eventsOf(api.host, both), await attemptsOf(api.host, both)];
    await people.untilErased(person);
    const cleared = { subject: '', html: null, text: null, last_event: 'sent' };
    expect(await api.record(alone)).toMatchObject({ ...cleared, to: [ERASED] });
    expect(await api.record(both)).toMatchObject({ ...cleared, to: [ERASED, 'bob@person.test'] });
    expect(await api.record(mentioned)).toMatchObject({
      subject: 'About Jane',
      text: expect.any(String),
      reply_to: [ERASED],
    });
    expect(
      await api.host.query('SELECT FROM nestjs_emails.attachments WHERE email_id = ANY($1)', [[alone, both]]),
    ).toEqual([]);
    expect(await eventsOf(api.host, both)).toEqual(
      events.map(({ type, recipient }) => ({
        type,
        recipient: recipient === person ? ERASED : recipient,
        reason: null,
      })),
    );
    expect(await attemptsOf(api.host, both)).toEqual(
      attempts.map((attempt) => ({
        ...attempt,
        outcomes: attempt.outcomes!.map(({ address, outcome, reply }) => ({
          address: address === person ? ERASED : address,
          outcome,
          reply: { ...reply, text: '' },
        })),
      })),
    );
  });

  it('does not affect other accounts, similar addresses, and later emails', async () => {
    const person = someone();
    const theirs = await api.accept({ to: person, scheduled_at: '2096-11-21T05:26:01Z' }, { token: another });
    const similar = await people.scheduled({ to: [`x${person}`, `${person}.test`] });
    const mine = await people.scheduled({ to: person });
    const erasure = await people.erase(person);
    const later = await people.scheduled({ to: person, subject: 'Later' });
    await people.untilFinished(erasure);
    expect(await api.record(theirs, another)).toMatchObject({ last_event: 'scheduled', to: [person] });
    for (const id of [similar, later])
      expect(await api.record(id)).toMatchObject({ last_event: 'scheduled', text: expect.any(String) });
    expect(await api.record(mine)).toMatchObject({ last_event: 'canceled' });
    await people.untilErased(person);
    expect(await api.record(later)).toMatchObject({ last_event: 'canceled' });
  });
});

describe('an email to be sent again', () => {
  const resend = (id: string) =>
    api.host.request('POST', `/emails/${id}/resend`, { body: { recipients: ['bob@person.test'] } });

  it('is refused while a person is being erased from it, since the copy would keep the person', async () => {
    const person = someone();
    const stranger = await connect();
    const id = await people.sent({
      to: ['bob@person.test', `"${person.split('@')[0]}"@person.test`],
      subject: 'Again',
    });
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 FOR UPDATE', [id]);
    const erasure = await people.erase(person);
    expect(await resend(id)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('content is no longer kept') },
    });
    await stranger.query('ROLLBACK');
    await people.untilFinished(erasure);
  });

  it('is refused while its content is about to be cleared', async () => {
    const person = someone();
    const others = await people.sent({ to: 'bob@person.test', subject: 'Others' });
    const id = await people.scheduled({
      to: [person, 'bob@person.test'],
      html: '<p>Dear Jane</p>',
      attachments: [FILE],
    });
    const erasure = await people.erase(person);
    await until(async () => (await people.whereIs(person)).length === 0);
    expect(await resend(id)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('content is no longer kept') },
    });
    expect(await resend(others)).toMatchObject({ status: 200 });
    await people.fallDue(id);
    await people.untilFinished(erasure);
  });
});

describe('an erasure', () => {
  it('skips locked emails, and returns to them', async () => {
    const person = someone();
    const stranger = await connect();
    const ids = await Promise.all(Array.from({ length: 4 }, () => people.scheduled({ to: person })));
    await api.host.query('DELETE FROM nestjs_emails.emails WHERE id = $1', [await people.scheduled({ to: person })]);
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 FOR UPDATE', [ids[0]]);
    await stranger.query('SELECT FROM nestjs_emails.emails WHERE id = $1 FOR UPDATE', [ids[1]]);
    await stranger.query('UPDATE nestjs_emails.events SET reason = NULL WHERE email_id = $1', [ids[2]]);
    await api.host.query('UPDATE nestjs_emails.events SET reason = $1 WHERE email_id = $2', [person, ids[3]]);
    const erasure = await people.erase(person);
    await until(async () => (await people.stateOf(ids[3]!))?.last_event === 'canceled');
    expect(await people.statusOf(erasure)).toBe('running');
    await api.deliver();
    await stranger.query('ROLLBACK');
    await people.untilFinished(erasure);
    expect(await people.whereIs(person)).toEqual([]);
  });

  it('does not wait for many earlier ones of another account', async () => {
    await api.host.query(
      `INSERT INTO nestjs_emails.erasures (id, account_id, address, before_seq, due_at)
       SELECT gen_random_uuid(), 'many', n || '@many.test', 1, now() - interval '1 hour' FROM generate_series(1, 3000) AS n`,
    );
    await people.untilErased(someone());
    expect(
      await api.host.query(
        "SELECT FROM nestjs_emails.erasures WHERE account_id = 'many' AND due_at IS NOT NULL LIMIT 1",
      ),
    ).toHaveLength(1);
    await api.host.query("DELETE FROM nestjs_emails.erasures WHERE account_id = 'many'");
  });

  it('is finished after the death of its process at any point, also with two processes at once', async () => {
    const person = someone();
    const many = 1_500;
    const model = await people.scheduled({ to: [person, 'bob@person.test'] });
    await api.host.query(
      `WITH made AS (
         INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
           reply_to_mailboxes, subject, text, headers, tags, created_at)
         SELECT gen_random_uuid(), account_id, '<' || gen_random_uuid() || '@many.test>', from_mailbox, to_mailboxes, '{}', '{}',
           '{}', subject, text, '[]', '[]', now()
         FROM nestjs_emails.emails, generate_series(1, $2::integer) WHERE id = $1 RETURNING id, account_id, seq
       ), terms AS (
         INSERT INTO nestjs_emails.email_terms SELECT t.term, made.seq FROM made, nestjs_emails.email_terms t
         WHERE t.seq = (SELECT seq FROM nestjs_emails.emails WHERE id = $1)
       )
       INSERT INTO nestjs_emails.deliveries (email_id, last_event, recipients, account, seq)
       SELECT made.id, 'sent', jsonb_build_array(jsonb_build_object('address', $3::text, 'status', 'sent')), d.account, made.seq
       FROM made, nestjs_emails.deliveries d WHERE d.email_id = $1`,
      [model, many, person],
    );
    const left = async () =>
      Number(
        (await api.host.query(`SELECT count(*) FROM nestjs_emails.emails WHERE $1 = ANY(to_mailboxes)`, [person]))[0]!
          .count,
      );
    const erasures = [await people.erase(person), await people.erase(person.toUpperCase())];
    for (const fewer of [many, many / 2]) {
      await until(async () => (await left()) < fewer);
      await api.host.kill();
      await api.host.start();
    }
    // The lease of the dead one would expire.
    await api.host.query('UPDATE nestjs_emails.erasures SET due_at = now() WHERE due_at IS NOT NULL');
    await until(async () => (await left()) === 0);
    await people.fallDue(model);
    for (const erasure of erasures) await people.untilFinished(erasure);
    expect(await people.whereIs(person)).toEqual([]);
  });
});
