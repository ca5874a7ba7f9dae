import { randomUUID } from 'node:crypto';
import type { EmailActionDto } from 'nestjs-emails';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, invalid, letter, type Refusal, UUID } from '../support/hosts/contract-host.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const FAR = '2096-11-21T05:26:01Z';
/** Emails of an action whose workers die. */
const MANY = 300;

let api: ContractHost;

const call = <Body = Record<string, unknown>>(host: RunningHost, method: string, path: string, options: object = {}) =>
  host.request<Body>(method, path, options);

/** Starts an action, and returns its id. */
async function start(body: object, options: object = {}, host = api.host): Promise<string> {
  const answer = await call(host, 'POST', '/emails/actions', { body, ...options });
  expect(answer).toMatchObject({
    status: 202,
    body: { object: 'email_action', id: expect.stringMatching(UUID) },
  });
  expect(Object.keys(answer.body)).toEqual(['object', 'id']);
  return answer.body.id as string;
}

const progress = async (id: string, host = api.host) =>
  (await call<EmailActionDto>(host, 'GET', `/emails/actions/${id}`)).body;

async function untilCompleted(id: string, host = api.host): Promise<EmailActionDto> {
  await until(async () => (await progress(id, host)).status === 'completed', { what: `action ${id}` });
  return progress(id, host);
}

const act = async (body: object, options: object = {}) => untilCompleted(await start(body, options));
const stateOf = async (id: string) => (await call(api.host, 'GET', `/emails/${id}`)).body.last_event;
const scheduled = (fields: object = {}, options: object = {}) => api.accept({ scheduled_at: FAR, ...fields }, options);
const mark = () => `mark-${randomUUID()}`;
const tagged = (name: string) => ({ tags: [{ name, value: '' }] });

async function inState(host: RunningHost, ids: readonly string[], state: string, due = 'NULL'): Promise<void> {
  await host.query(
    `UPDATE nestjs_emails.deliveries SET last_event = $2, due_at = ${due}, recipients = jsonb_set(recipients, '{0,status}', to_jsonb($2::text))
    WHERE email_id = ANY($1)`,
    [ids, state],
  );
}

describe('actions on many emails', () => {
  beforeAll(async () => {
    api = await ContractHost.start({ env: { RETRY_SCHEDULE: '1h,1h' } });
  });

  beforeEach(() => api.sink.reset());

  describe('POST /emails/actions', () => {
    const ID = '0192f0c1-2345-7abc-8def-0123456789ab';

    it.each<[object, Refusal]>([
      [{}, { status: 422, name: 'missing_required_field', message: 'Missing `action` field.' }],
      [{ action: 'delete', ids: [ID] }, invalid(/^`action` must be one of: cancel, retry, resend/)],
      [{ action: 'cancel' }, invalid(/^Give `ids` or `filter`/)],
      [{ action: 'cancel', ids: [] }, invalid(/^Give `ids` or `filter`/)],
      [{ action: 'cancel', ids: [ID], filter: {} }, invalid(/^Give `ids` or `filter`/)],
      [{ action: 'cancel', ids: ['x'] }, invalid(/^`ids` must be an array of 1 to 1000 ids/)],
      [{ action: 'cancel', filter: 'all' }, invalid(/^`filter` must be an object/)],
      [{ action: 'cancel', filter: { colour: 'red' } }, invalid(/^`filter` has no filter of this name: "colour"/)],
      [{ action: 'cancel', filter: { limit: '5' } }, invalid(/^`filter` has no filter of this name: "limit"/)],
      [{ action: 'cancel', filter: { to: 5 } }, invalid(/^`filter.to` must be a string/)],
      [{ action: 'cancel', filter: { to: [] } }, invalid(/^`filter.to` must be a string/)],
      [{ action: 'cancel', filter: { to: null } }, invalid(/^`filter.to` must be a string/)],
      [{ action: 'cancel', filter: { to: '' } }, invalid(/^`filter.to` must be an address/)],
      [{ action: 'cancel', filter: { to: '\ud800@to.test' } }, invalid(/^`filter.to` must be an address|surrogate/)],
      [{ action: 'cancel', filter: { to: ['a@to.test', 'b@to.test'] } }, invalid(/^`filter.to` must be given once/)],
      [{ action: 'cancel', filter: { last_event: 'lost' } }, invalid(/^`filter.last_event` must be one or more of/)],
      [{ action: 'cancel', filter: {}, limit: 100_001 }, invalid(/^`limit` must be a whole number from 1 to 100000/)],
      [{ action: 'cancel', filter: {}, limit: '5' }, invalid(/^`limit` must be a whole number/)],
      [{ action: 'cancel', filter: {}, before: ID }, invalid(/^`before` must be the id of an email/)],
      [{ action: 'cancel', filter: {}, all: true }, invalid(/^`all` is not a field/)],
    ])('refuses %j, with nothing written', async (body, refusal) => {
      await api.refuseRequest('POST', '/emails/actions', { body }, refusal);
    });

    it('refuses more than 1,000 ids', async () => {
      const body = { action: 'cancel', ids: Array(1_001).fill(ID) };
      await api.refuseRequest('POST', '/emails/actions', { body }, invalid(/^`ids` must be an array of 1 to 1000 ids/));
    });

    it('needs full access, and shows an action to its account alone', async () => {
      const { body } = await call(api.host, 'POST', '/api-keys', {
        body: { name: 'sender', permission: 'sending_access' },
      });
      const restricted: Refusal = { status: 401, name: 'restricted_api_key', message: '' };
      const token = body.token as string;
      await api.refuseRequest('POST', '/emails/actions', { body: { action: 'cancel', filter: {} }, token }, restricted);
      const id = await start({ action: 'cancel', ids: [ID] });
      const another = (await api.host.account('another')).token;
      const unknown: Refusal = { status: 404, name: 'not_found', message: 'Action not found' };
      await api.refuseRequest('GET', `/emails/actions/${id}`, { token: another }, unknown);
      await api.refuseRequest('GET', `/emails/actions/${ID}`, {}, unknown);
      expect((await untilCompleted(id)).refused).toEqual([{ id: ID, message: 'Email not found' }]);
    });

    it('refuses more emails than the limit, with their number, and does nothing', async () => {
      const name = mark();
      const ids = [await scheduled(tagged(name)), await scheduled(tagged(name)), await scheduled(tagged(name))];
      const filter = { tag: name };
      const wrong = invalid(/^3 emails match, and `limit` is 2\. Nothing was done\.$/);
      await api.refuseRequest('POST', '/emails/actions', { body: { action: 'cancel', filter, limit: 2 } }, wrong);
      await api.refuseRequest('POST', '/emails/actions', { body: { action: 'cancel', ids, limit: 2 } }, wrong);
      expect(await Promise.all(ids.map(stateOf))).toEqual(['scheduled', 'scheduled', 'scheduled']);
      expect(await act({ action: 'cancel', filter, limit: 3 })).toMatchObject({ matched: 3, done: 3 });
    });

    it('starts one action for a key, also for requests at the same time', async () => {
      const name = mark();
      await scheduled(tagged(name));
      const body = { action: 'cancel', filter: { tag: [name] } };
      const options = { body, headers: { 'idempotency-key': name } };
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => call(api.host, 'POST', '/emails/actions', options)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(4);
      const conflict: Refusal = { status: 409, name: 'invalid_idempotent_request', message: '' };
      await api.refuseRequest('POST', '/emails/actions', { ...options, body: { ...body, action: 'retry' } }, conflict);
      const empty: Refusal = { status: 400, name: 'invalid_idempotency_key', message: '' };
      const headers = { 'idempotency-key': 'x'.repeat(257) };
      await api.refuseRequest('POST', '/emails/actions', { body, headers }, empty);
    });
  });

  it('cancels the emails that match a filter at that time, and no others', async () => {
    const name = mark();
    const another = (await api.host.account(name)).token;
    const theirs = await scheduled(tagged(name), { token: another });
    const ours = [await scheduled(tagged(name)), await scheduled({ ...tagged(name), to: 'jane@to.test' })];
    const other = await scheduled();
    const before = ours[1]!;
    const later = await scheduled(tagged(name));
    const filter = { tag: [name], last_event: ['scheduled', 'queued'] };
    const action = await act({ action: 'cancel', filter, before });
    expect(action).toEqual({
      object: 'email_action',
      id: expect.any(String),
      action: 'cancel',
      status: 'completed',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/),
      matched: 2,
      done: 2,
      refused: [],
    });
    expect(await Promise.all(ours.map(stateOf))).toEqual(['canceled', 'canceled']);
    expect(await Promise.all([other, later].map(stateOf))).toEqual(['scheduled', 'scheduled']);
    const { body } = await call(api.host, 'GET', `/emails/${theirs}`, { token: another });
    expect(body.last_event).toBe('scheduled');
    expect(await act({ action: 'cancel', ids: [theirs, later], before })).toMatchObject({
      matched: 1,
      done: 0,
      refused: [{ id: theirs, message: 'Email not found' }],
    });
    expect(await act({ action: 'cancel', filter: { tag: mark() } })).toMatchObject({ matched: 0, status: 'completed' });
  });

  it('finds an email by every filter of the list', async () => {
    const name = mark();
    const messageId = `<${name}@given.test>`;
    const fields = { from: 'ann@actions.test', to: 'b@to.test', cc: 'c@to.test', bcc: 'd@to.test' };
    const id = await scheduled({ ...fields, ...tagged(name), message_id: messageId });
    const filters = [
      { message_id: messageId },
      { from: '@actions.test', tag: name },
      { to: 'b@to.test', cc: 'c@to.test', bcc: 'd@to.test', from: 'ann@actions.test', tag: name },
      { start_date: '2020-01-01', end_date: '2096-01-01', tag: [name], last_event: 'scheduled,canceled' },
    ];
    for (const filter of filters) {
      expect(await act({ action: 'cancel', filter })).toMatchObject({ matched: 1, done: 1, refused: [] });
    }
    expect(await stateOf(id)).toBe('canceled');
  });

  it('retries delayed emails, with the refusal of the single operation for others', async () => {
    api.sink.onRcpt = () => '451 4.3.0 Later';
    const delayed = await api.accept();
    await until(async () => (await stateOf(delayed)) === 'delivery_delayed');
    delete api.sink.onRcpt;
    const waiting = await scheduled();
    const { message } = (await call(api.host, 'POST', `/emails/${waiting}/retry`)).body;
    const ids = [delayed.toUpperCase(), waiting, delayed];
    expect(await act({ action: 'retry', ids })).toMatchObject({
      matched: 2,
      done: 1,
      refused: [{ id: waiting, message }],
    });
    await until(async () => (await stateOf(delayed)) !== 'delivery_delayed');
    expect(api.sink.offered.filter(({ raw }) => raw.includes(`<${delayed}@`))).toHaveLength(1);
  });

  it('records a hundred refusals, and counts the others', async () => {
    const ids = Array.from({ length: 150 }, () => randomUUID());
    const action = await act({ action: 'resend', ids });
    expect(action).toMatchObject({ matched: 150, done: 0 });
    expect(action.refused.map(({ id }) => id)).toEqual(ids.slice(0, 100));
  });

  it('leaves a locked email until the end, and acts on the others meanwhile', async () => {
    const ids = [await scheduled(), await scheduled(), await scheduled()];
    const stranger = new pg.Client({ connectionString: api.host.databaseUrl });
    await stranger.connect();
    afterFile(() => stranger.end());
    const lock = async () => {
      await stranger.query('BEGIN');
      await stranger.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 FOR UPDATE', [ids[0]]);
    };
    await lock();
    const id = await start({ action: 'cancel', ids });
    await until(async () => (await progress(id)).done === 2);
    await stranger.query('ROLLBACK');
    expect(await untilCompleted(id)).toMatchObject({ matched: 3, done: 3, refused: [] });
    await lock();
    const locked = await act({ action: 'retry', ids });
    await stranger.query('ROLLBACK');
    expect(locked).toMatchObject({ matched: 3, done: 0 });
    expect(locked.refused.at(-1)).toEqual({ id: ids[0], message: expect.stringContaining('Nothing was changed') });
  });
});

describe('emails that are locked', () => {
  it('are acted on after the others, without a further copy of all ids for each', async () => {
    const body = Array.from({ length: 100 }, () => letter({ scheduled_at: FAR }));
    const answer = await call<{ data: { id: string }[] }>(api.host, 'POST', '/emails/batch', { body });
    const ids = answer.body.data.map(({ id }) => id);
    const stranger = new pg.Client({ connectionString: api.host.databaseUrl });
    await stranger.connect();
    afterFile(() => stranger.end());
    const locked = [0, 1, 9].map((place) => ids[place] as string);
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = ANY($1) FOR UPDATE', [locked]);
    const id = await start({ action: 'cancel', ids });
    await until(async () => (await progress(id)).done >= 20);
    const kept = 'SELECT cardinality(emails) FROM nestjs_emails.email_actions WHERE id = $1';
    expect(await api.host.query(kept, [id])).toEqual([{ cardinality: 100 }]);
    await stranger.query('ROLLBACK');
    expect(await untilCompleted(id)).toMatchObject({ matched: 100, done: 100, refused: [] });
    expect(await Promise.all(locked.map(stateOf))).toEqual(locked.map(() => 'canceled'));
  });
});

describe('workers that die or freeze in an action', () => {
  let sink: SmtpSink;
  let host: RunningHost;
  let workers: RunningHost[];

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await startHost({ role: 'api', smtp: sink });
  });

  beforeEach(() => {
    workers = [];
  });

  afterEach(() => Promise.all(workers.map((worker) => worker.kill())));

  async function worker(): Promise<RunningHost> {
    const started = await startHost({ role: 'worker', beside: host, smtp: sink });
    workers.push(started);
    return started;
  }

  async function emails(name: string): Promise<string[]> {
    const batch = Array.from({ length: 100 }, () => letter({ scheduled_at: FAR, ...tagged(name) }));
    const ids: string[] = [];
    while (ids.length < MANY) {
      const { body } = await call<{ data: { id: string }[] }>(host, 'POST', '/emails/batch', { body: batch });
      ids.push(...body.data.map(({ id }) => id));
    }
    return ids;
  }

  /** Looks often, and past the API: a worker does a hundred emails while a busy machine answers one request. */
  const untilDone = (id: string, least: number) =>
    until(
      async () => {
        const [row] = await host.query<{ done: number }>('SELECT done FROM nestjs_emails.email_actions WHERE id = $1', [
          id,
        ]);
        return row !== undefined && row.done >= least;
      },
      { interval: 2 },
    );
  const endLease = (id: string) =>
    host.query('UPDATE nestjs_emails.email_actions SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL', [id]);

  /** Kills a worker three times, somewhere in the action, and lets a last one complete it. */
  async function survive(id: string): Promise<EmailActionDto> {
    for (const least of [10, 40, 80]) {
      const dying = await worker();
      await untilDone(id, least);
      await dying.kill();
      await endLease(id);
    }
    expect(await progress(id, host)).toMatchObject({ status: 'running' });
    await worker();
    return untilCompleted(id, host);
  }

  it.each([
    ['cancel', 'scheduled'],
    ['retry', 'delivery_delayed'],
    ['resend', 'bounced'],
  ])('repeat no %s and skip none', async (action, state) => {
    const name = mark();
    const ids = await emails(name);
    await inState(host, ids, state, state === 'bounced' ? 'NULL' : "now() + interval '9 years'");
    const id = await start({ action, filter: { tag: name } }, {}, host);
    expect(await survive(id)).toMatchObject({ matched: MANY, done: MANY, refused: [] });
    const copies = await host.query(
      'SELECT count(*)::integer FROM nestjs_emails.emails WHERE resent_from = ANY($1) GROUP BY resent_from',
      [ids],
    );
    expect(copies).toEqual(action === 'resend' ? Array(MANY).fill({ count: 1 }) : []);
    const moved = await host.query(
      'SELECT FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND last_event <> $2',
      [ids, state],
    );
    if (action === 'cancel') expect(moved).toHaveLength(MANY);
  });

  it('write nothing when they thaw', async () => {
    const name = mark();
    const ids = await emails(name);
    await inState(host, ids, 'bounced');
    const id = await start({ action: 'resend', filter: { tag: name } }, {}, host);
    const frozen = await worker();
    await untilDone(id, 20);
    process.kill(frozen.pid!, 'SIGSTOP');
    await endLease(id);
    await worker();
    const action = await untilCompleted(id, host);
    process.kill(frozen.pid!, 'SIGCONT');
    expect(await frozen.stop()).toBe(0);
    expect(action).toMatchObject({ matched: MANY, done: MANY, refused: [] });
    expect(await progress(id, host)).toEqual(action);
    const copies = await host.query('SELECT FROM nestjs_emails.emails WHERE resent_from = ANY($1)', [ids]);
    expect(copies).toHaveLength(MANY);
  });
});
