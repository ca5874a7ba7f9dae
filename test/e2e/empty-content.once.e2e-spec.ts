import { until } from '../support/basics/wait-for.js';
import { ContractHost, invalid, letter, type Refusal } from '../support/hosts/contract-host.js';
import { untilShown } from '../support/reading/deliveries.js';
import { parseMime } from '../support/reading/mime.js';
import { withoutReference } from '../support/reading/without-reference.js';

const NONE = { text: undefined };
const FILE = [{ filename: 'a.txt', content: 'eA==' }];
const MISSING: Refusal = {
  status: 422,
  name: 'missing_required_field',
  message: /^Missing `html` or `text` field\.$/,
};

/** Contract, section 2.1: an email with none of html, text and template. */
describe('an email without content', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.start({ env: { RETRY_SCHEDULE: '1h,1h', SMTP_HOP: 'final' } });
  });

  const get = (path: string) => api.host.request('GET', path);
  const source = async (id: string) => {
    const headers = { authorization: `Bearer ${api.host.token}` };
    const answer = await fetch(`${api.host.url}/emails/${id}/source`, { headers });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it.each([
    ['nothing', NONE],
    ['null', { text: null, html: null }],
    ['an empty html', { text: undefined, html: '' }],
  ])('is sent empty: with %s', async (_, fields) => {
    const { mail, id } = await api.deliver(fields);
    expect((mail.text ?? '').trim()).toBe('');
    expect(await get(`/emails/${id}`)).toMatchObject({
      status: 200,
      body: { html: null, text: null, no_content: true },
    });
  });

  it('differs from one with content, one with files, and one whose content was cleared', async () => {
    const ids = [await api.accept(), await api.accept({ ...NONE, attachments: FILE }), await api.accept({ text: '' })];
    const cleared = await api.accept();
    await untilShown(api.host, cleared, 'delivered');
    await api.host.query('UPDATE nestjs_emails.emails SET text = NULL WHERE id = $1', [cleared]);
    for (const id of [...ids, cleared]) expect((await get(`/emails/${id}`)).body).not.toHaveProperty('no_content');
    expect((await source(cleared)).status).toBe(422);
    await api.refuseRequest(
      'POST',
      `/emails/${cleared}/resend`,
      { body: { recipients: ['to@to.test'] } },
      invalid('its content is no longer kept'),
    );
  });

  it('can be viewed as the sent message', async () => {
    const { id, message } = await api.deliver(NONE);
    expect(await source(id)).toEqual({ status: 200, bytes: withoutReference(message.raw) });
  });

  it('can be sent again, and once more', async () => {
    const { id } = await api.deliver(NONE);
    await untilShown(api.host, id, 'delivered');
    let first = id;
    for (let times = 0; times < 2; times += 1) {
      const again = await api.host.request<{ id: string }>('POST', `/emails/${first}/resend`, {
        body: { recipients: ['to@to.test'] },
      });
      expect(again.status).toBe(200);
      const { raw } = await api.sink.waitFor((message) => message.raw.includes(`<${again.body.id}@`));
      expect(await parseMime(raw)).toMatchObject({ subject: 'Hello' });
      expect((await get(`/emails/${again.body.id}`)).body).toMatchObject({ resent_from: first, no_content: true });
      await untilShown(api.host, again.body.id, 'delivered');
      first = again.body.id;
    }
  });

  it('can be tried again', async () => {
    api.sink.onRcpt = () => '451 4.7.1 later';
    const id = await api.accept(NONE);
    await untilShown(api.host, id, 'delivery_delayed');
    delete api.sink.onRcpt;
    expect((await api.host.request('POST', `/emails/${id}/retry`)).status).toBe(200);
    await untilShown(api.host, id, 'delivered');
  });

  it('is not sent again once a person was erased from it', async () => {
    const { id } = await api.deliver({ ...NONE, to: ['gone@to.test', 'stays@to.test'] });
    await untilShown(api.host, id, 'delivered');
    const body = { email: 'gone@to.test' };
    const erasure = (await api.host.request<{ id: string }>('POST', '/erasures', { body })).body.id;
    await until(async () => (await get(`/erasures/${erasure}`)).body.status === 'finished');
    const again = { body: { recipients: ['stays@to.test'] } };
    await api.refuseRequest('POST', `/emails/${id}/resend`, again, invalid('its content is no longer kept'));
    expect((await source(id)).status).toBe(422);
    expect((await get(`/emails/${id}`)).body).not.toHaveProperty('no_content');
  });

  it('is warned of once a minute for each account, without an address', async () => {
    const { account, token } = await api.host.account('warned');
    const warnings = () =>
      api.host.output.split('\n').filter((line) => line.includes(account) && line.includes('without html and text'));
    for (let sent = 0; sent < 3; sent += 1) await api.accept(NONE, { token });
    await until(() => warnings().length > 0, { what: 'the warning' });
    await api.accept({}, { token });
    expect(warnings()).toHaveLength(1);
    expect(JSON.parse(warnings()[0] ?? '')).toMatchObject({ level: 'warn' });
    expect(warnings()[0]).not.toContain('@');
  });
});

describe('an email without content, where content is required', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.start({ env: { REQUIRE_CONTENT: 'true' } });
  });

  it.each<[string, object]>([
    ['nothing', NONE],
    ['null', { text: null, html: null }],
    ['empty texts', { text: '', html: '' }],
    ['files alone', { ...NONE, attachments: FILE }],
  ])('is refused: with %s', async (_, fields) => {
    await api.refuse(fields, MISSING);
  });

  it.each<[string, object]>([
    ['html', { ...NONE, html: '<p>Hello</p>' }],
    ['html and no text part', { html: '<p>Hello</p>', text: '' }],
    ['text', { text: 'Hello' }],
  ])('is none: with %s', async (_, fields) => {
    await api.accept(fields);
  });

  it('is refused in a batch, by its position', async () => {
    const items = [letter(), letter(NONE)];
    const strict = { ...MISSING, message: /^Missing `\[1\]\.html` or `text` field\.$/ };
    await api.refuseRequest('POST', '/emails/batch', { body: items }, strict);
    const headers = { 'x-batch-validation': 'permissive' };
    const { status, body } = await api.host.request<{ data: unknown[]; errors: unknown[] }>('POST', '/emails/batch', {
      body: items,
      headers,
    });
    expect([status, body.data.length, body.errors]).toEqual([
      200,
      1,
      [{ index: 1, message: 'Missing `html` or `text` field.' }],
    ]);
  });
});
