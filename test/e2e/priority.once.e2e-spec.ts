import { until } from '../support/basics/wait-for.js';
import { CANARY, ContractHost, expectRefusal, invalid, letter, type Refusal } from '../support/hosts/contract-host.js';

const FAR = '2096-11-21T05:26:01Z';
const CONFLICT: Refusal = { status: 409, name: 'invalid_idempotent_request', message: /Idempotency-Key/ };

let api: ContractHost;
let keys = 0;

beforeAll(async () => {
  api = await ContractHost.share();
});

beforeEach(() => api.sink.reset());

const scheduled = (fields: object = {}) => api.accept({ scheduled_at: FAR, ...fields });
const get = async (id: string) => (await api.host.request('GET', `/emails/${id}`)).body;
const priorityOf = async (id: string) => (await get(id)).priority;
const newKey = () => ({ 'idempotency-key': `priority ${keys++}` });

/** The value in the row that workers lease. */
async function bulkOf(id: string): Promise<unknown> {
  const [row] = await api.host.query('SELECT bulk FROM nestjs_emails.deliveries WHERE email_id = $1', [id]);
  return row?.bulk;
}

/** Contract, sections 2.1 and 3.2. */
describe('priority', () => {
  it.each([
    ['bulk', 'bulk', true],
    ['now', 'now', null],
    [undefined, 'now', null],
    [null, 'now', null],
    ['', 'now', null],
  ])('%j is shown as %s', async (priority, shown, stored) => {
    const id = await scheduled({ priority });
    expect(await priorityOf(id)).toBe(shown);
    expect(await bulkOf(id)).toBe(stored);
    expect(await api.record(id)).not.toHaveProperty('priority');
  });

  it.each(['low', 'BULK', 1, true, ['bulk'], {}])('is refused as %j', async (priority) => {
    await api.refuse({ priority }, invalid('`priority` must be `now` or `bulk`.'));
  });

  it('is kept while the email is rescheduled, delivered and tried again', async () => {
    api.sink.onRcpt = () => '450 4.7.1 later';
    const id = await scheduled({ priority: 'bulk' });
    await api.host.request('PATCH', `/emails/${id}`, { body: { scheduled_at: 'in 1 second' } });
    await until(async () => (await get(id)).last_event === 'delivery_delayed');
    delete api.sink.onRcpt;
    await api.host.request('POST', `/emails/${id}/retry`);
    await until(async () => (await get(id)).last_event === 'sent');
    expect(await priorityOf(id)).toBe('bulk');
  });

  it('is decided for each email of a batch', async () => {
    const body = ['bulk', 'now', undefined].map((priority) => letter({ scheduled_at: FAR, priority }));
    const answer = await api.host.request<{ data: { id: string }[] }>('POST', '/emails/batch', { body });
    const ids = answer.body.data.map(({ id }) => id);
    expect(await Promise.all(ids.map(priorityOf))).toEqual(['bulk', 'now', 'now']);
    expect(await Promise.all(ids.map(bulkOf))).toEqual([true, null, null]);
    const wrong = { body: [letter(), letter({ priority: 'low' })] };
    await api.refuseRequest('POST', '/emails/batch', wrong, invalid('`[1].priority` must be `now` or `bulk`.'));
  });

  it('is that of the request where a template has the content', async () => {
    const body = { name: 'News', subject: 'Hello', text: CANARY };
    const { body: made } = await api.host.request<{ id: string }>('POST', '/templates', { body });
    await api.host.request('POST', `/templates/${made.id}/publish`);
    const fields = { text: undefined, subject: undefined, template: { id: made.id }, priority: 'bulk' };
    expect(await priorityOf(await scheduled(fields))).toBe('bulk');
  });

  it('is part of the meaning of a request, and absent from it where it is not given', async () => {
    const fields = { scheduled_at: FAR };
    for (const [first, same, others] of [
      [undefined, null, ['now', 'bulk']],
      ['now', 'now', [undefined, 'bulk']],
      ['bulk', 'bulk', [undefined, 'now']],
    ] as const) {
      const headers = newKey();
      const id = await api.accept({ ...fields, priority: first }, { headers });
      expect(await api.accept({ ...fields, priority: same }, { headers })).toBe(id);
      for (const priority of others) {
        const refused = { headers, body: letter({ ...fields, priority }) };
        expectRefusal(await api.host.request('POST', '/emails', refused), CONFLICT);
      }
      expect(await priorityOf(id)).toBe(first ?? 'now');
    }
  });
});

/** Contract, sections 4.2 and 4.6. */
describe('a resent email', () => {
  it.each(['now', 'bulk'])('keeps the priority %s', async (priority) => {
    const id = await scheduled({ priority });
    const body = { recipients: 'to@to.test', scheduled_at: FAR };
    const { body: copy } = await api.host.request<{ id: string }>('POST', `/emails/${id}/resend`, { body });
    expect(await priorityOf(copy.id)).toBe(priority);
    expect(await bulkOf(copy.id)).toBe(priority === 'bulk' || null);
  });

  it('is bulk where an action makes it', async () => {
    const id = await scheduled();
    await api.host.query(
      `UPDATE nestjs_emails.deliveries SET last_event = 'bounced', due_at = NULL,
        recipients = jsonb_set(recipients, '{0,status}', '"bounced"') WHERE email_id = $1`,
      [id],
    );
    await api.host.request('POST', '/emails/actions', { body: { action: 'resend', ids: [id] } });
    const copies = () =>
      api.host.query<{ id: string }>('SELECT id FROM nestjs_emails.emails WHERE resent_from = $1', [id]);
    await until(async () => (await copies()).length === 1);
    const [copy] = await copies();
    expect(await bulkOf(copy!.id)).toBe(true);
    expect([await priorityOf(copy!.id), await priorityOf(id)]).toEqual(['bulk', 'now']);
  });
});
