import { until } from '../support/basics/wait-for.js';
import { ContractHost, expectRefusal, invalid, letter, type Refusal, UUID } from '../support/hosts/contract-host.js';
import { filesIn, printOf, randomFile } from '../support/reading/files.js';
import { footprint } from '../support/reading/footprint.js';
import { parseMime } from '../support/reading/mime.js';
import { NO_ID, NOT_FOUND } from '../support/rules/refusals.js';

const CONFLICT: Refusal = { status: 409, name: 'invalid_idempotent_request', message: /Idempotency-Key/ };
const NOBODY = invalid(/No recipient.*bounced or failed/);

let api: ContractHost;

beforeAll(async () => {
  api = await ContractHost.share();
});

const resend = (id: string, body: object = {}, headers: object = {}) =>
  api.host.request<{ id: string }>('POST', `/emails/${id}/resend`, { body, headers: { ...headers } });

const messageOf = (id: string) => api.sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${id}@`));

async function sentAgain(id: string, body: object = {}) {
  const answer = await resend(id, body);
  expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(UUID) } });
  expect(answer.body.id).not.toBe(id);
  return answer.body.id;
}

const refuse = (id: string, body: object, refusal: Refusal) =>
  api.refuseRequest('POST', `/emails/${id}/resend`, { body }, refusal);

/** An email with one bounced recipient. */
async function bounced(fields: object = {}): Promise<string> {
  // Not about the address, which would be suppressed.
  api.sink.onRcpt = (recipient) => (recipient.includes('no@') ? '550 5.7.1 refused by our policy' : undefined);
  const id = await api.accept({ to: ['Yes <yes@to.test>', 'No <no@to.test>'], cc: 'cc@to.test', ...fields });
  await until(async () => (await api.record(id)).last_event === 'bounced');
  delete api.sink.onRcpt;
  return id;
}

/** Contract, section 4.2. */
describe('POST /emails/:id/resend', () => {
  it('creates a new email with the same content, for recipients that the first has not reached', async () => {
    const file = randomFile(30_000);
    const id = await bounced({
      html: '<p>Grüße</p>',
      headers: { 'X-A': '1' },
      tags: [{ name: 'n', value: 'v' }],
      attachments: [{ filename: 'a.bin', content: file.toString('base64') }],
    });
    const again = await sentAgain(id);
    const message = await messageOf(again);
    expect(message.envelope.to).toEqual(['no@to.test']);
    const [first, mail] = await Promise.all([messageOf(id), message].map(async (m) => parseMime((await m).raw)));
    expect([mail!.to, mail!.cc]).toEqual([[{ name: 'No', address: 'no@to.test' }], undefined]);
    expect([mail!.html, mail!.text, mail!.subject]).toEqual([first!.html, first!.text, first!.subject]);
    expect((await filesIn(message)).map(({ content }) => printOf(content))).toEqual([printOf(file)]);
    expect(message.raw.toString()).toContain('X-A: 1');
    expect(await api.record(again)).toMatchObject({ to: ['No <no@to.test>'], cc: [], last_event: 'sent' });
    expect(await api.record(id)).toMatchObject({ last_event: 'bounced' });
    const rows = await api.host.query('SELECT resent_from, tags FROM nestjs_emails.emails WHERE id = $1', [again]);
    expect(rows).toEqual([{ resent_from: id, tags: [{ name: 'n', value: 'v' }] }]);
    expect((await api.host.request('GET', `/emails/${again}`)).body).toMatchObject({ resent_from: id });
    expect((await api.host.request('GET', `/emails/${id}`)).body).not.toHaveProperty('resent_from');
  });

  it('accepts named recipients, in any spelling, and a time', async () => {
    const { id } = await api.deliver({ to: ['Ann <Ann@to.test>', 'bob@to.test'], bcc: 'eve@to.test' });
    const again = await sentAgain(id, { recipients: ['ann@TO.test', 'Eve <EVE@to.test>'], scheduled_at: 'in 1 hour' });
    expect(await api.record(again)).toMatchObject({
      to: ['Ann <Ann@to.test>'],
      cc: [],
      bcc: ['eve@to.test'],
      last_event: 'scheduled',
    });
  });

  it('repeats the first answer for a key, for this email only', async () => {
    const [id, other] = [await api.accept(), await api.accept()];
    const body = { recipients: 'to@to.test' };
    const key = { 'idempotency-key': 'again' };
    const first = await resend(id, body, key);
    const before = await footprint(api.host);
    const second = await resend(id.toUpperCase(), body, key);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await footprint(api.host)).toEqual(before);
    expectRefusal(await resend(id, { ...body, scheduled_at: '2096-01-01T00:00:00Z' }, key), CONFLICT);
    const third = await resend(other, body, key);
    expect(third.status).toBe(200);
    expect(third.headers).not.toHaveProperty('idempotent-replayed');
  });

  it('makes 20 parallel calls with one key one email', async () => {
    const id = await api.accept();
    const calls = Array.from({ length: 20 }, () =>
      resend(id, { recipients: 'to@to.test' }, { 'idempotency-key': 'parallel' }),
    );
    expect(new Set((await Promise.all(calls)).map(({ text }) => text)).size).toBe(1);
  });

  it.each<[string, object, Refusal]>([
    ['no recipients, when all were reached', {}, NOBODY],
    ['an empty list of recipients, when all were reached', { recipients: [] }, NOBODY],
    ['an address that is not a recipient', { recipients: ['to@to.test', 'x@to.test'] }, invalid(/^`recipients\[1\]`/)],
    ['an invalid address', { recipients: ['x'] }, invalid(/^`recipients(\[0\])?`/)],
    ['151 recipients', { recipients: Array.from({ length: 151 }, () => 'to@to.test') }, invalid(/150 mailboxes/)],
    ['an invalid time', { recipients: 'to@to.test', scheduled_at: 'x' }, invalid(/^`scheduled_at`/)],
    ['other content', { recipients: 'to@to.test', subject: 'x' }, invalid(/^`subject` is not a field/)],
  ])('refuses %s, and writes nothing', async (_, body, refusal) => {
    await refuse((await api.deliver()).id, body, refusal);
  });

  it("refuses a malformed id, an unknown one, and another account's", async () => {
    const { token } = await api.host.account('resends');
    const { body } = await api.host.request<{ id: string }>('POST', '/emails', { body: letter(), token });
    await refuse('x', {}, NO_ID);
    await refuse(crypto.randomUUID(), {}, { ...NOT_FOUND, message: 'Email not found' });
    await refuse(body.id, { recipients: 'to@to.test' }, { ...NOT_FOUND, message: 'Email not found' });
  });

  it('refuses an email with cleared content', async () => {
    const { id } = await api.deliver({ attachments: [{ filename: 'a', content: 'YQ==' }] });
    await api.host.query('UPDATE nestjs_emails.emails SET html = NULL, text = NULL WHERE id = $1', [id]);
    await api.host.query('DELETE FROM nestjs_emails.attachments WHERE email_id = $1', [id]);
    await refuse(id, { recipients: 'to@to.test' }, invalid(/content is no longer kept/));
  });

  it('needs no body', async () => {
    const id = await bounced();
    const { status } = await api.host.request('POST', `/emails/${id}/resend`);
    expect(status).toBe(200);
  });
});
