import type { EmailEventDto, EmailMetricsDto, EmailRecipientDto, ListEnvelope } from 'nestjs-emails';
import { Resend } from 'resend';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, expectRefusal, invalid } from '../support/hosts/contract-host.js';
import { attemptsOf, untilSettled, untilShown } from '../support/reading/deliveries.js';

const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/;
const NOBODY = '0198f0c1-0000-7000-8000-000000000000';
const NOT_FOUND = { status: 404, name: 'not_found', message: /^Email not found$/ };
const BAD_ID = { status: 422, name: 'invalid_parameter', message: /^The `id` must be a valid UUID\.$/ };

/** Contract, sections 3.4 and 3.5: the events of an email and of each of its recipients, and their numbers. */
describe('the timeline', () => {
  let api: ContractHost;
  /** To four recipients: accepted at once, accepted the second time, refused, and allowed by all policies. */
  let id: string;
  /** Token of another account. */
  let token: string;

  beforeAll(async () => {
    api = await ContractHost.start({ env: { SMTP_HOP: 'final', RETRY_SCHEDULE: '20ms,20ms' } });
    api.sink.onRcpt = (address, count) => {
      if (address.startsWith('late') && count === 1) return '451 4.7.1 later';
      return address.startsWith('no') ? '550 5.1.1 User unknown' : undefined;
    };
    id = await api.accept({
      from: 'Me <me@Bücher.test>',
      to: ['Ann <ann@TO.test>', 'late@to.test'],
      cc: 'no@to.test',
      bcc: ['hidden@to.test', 'ann@to.test'],
    });
    await untilSettled(api.host, [id]);
    ({ token } = await api.host.account('another'));
  });

  const get = async <T>(path: string, key = api.host.token) =>
    (await api.host.request<T>('GET', path, { token: key })).body;
  const events = (query = '') => get<ListEnvelope<EmailEventDto>>(`/emails/${id}/events${query}`);
  const metrics = (query = '') => get<EmailMetricsDto>(`/emails/metrics${query}`);

  it('has all events, newest first, with source and attempt', async () => {
    const { object, has_more, data } = await events('?limit=100');
    expect({ object, has_more }).toEqual({ object: 'list', has_more: false });
    const told = (type: string, recipient: string | null, attempt: number | null) => ({
      id: expect.stringMatching(/^\d+$/),
      type,
      recipient,
      created_at: expect.stringMatching(TIMESTAMP),
      reason: null,
      reason_code: null,
      attempt,
      transport: attempt === null ? null : expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      source: attempt === null ? 'api' : 'smtp',
      bounce: null,
    });
    const taken = expect.stringMatching(/^250/);
    expect(data.at(-1)).toEqual(told('queued', null, null));
    expect(data.slice(0, 2)).toEqual([
      told('delivered', 'late@to.test', 2),
      { ...told('sent', 'late@to.test', 2), reason: taken },
    ]);
    expect(data.slice(2, -1)).toHaveLength(6);
    expect(data).toContainEqual({ ...told('delivery_delayed', 'late@to.test', 1), reason: '451 4.7.1 later' });
    expect(data).toContainEqual({ ...told('sent', 'ann@to.test', 1), reason: taken });
    const reason = '550 5.1.1 User unknown';
    const bounce = { type: 'Permanent', subType: 'General', message: reason, diagnosticCode: [`smtp; ${reason}`] };
    expect(data).toContainEqual({
      ...told('bounced', 'no@to.test', 1),
      reason,
      reason_code: 'address_unknown',
      bounce,
    });
  });

  it('is paged by `after`', async () => {
    const all = (await events('?limit=100')).data;
    const first = await events('?limit=3');
    expect(first).toEqual({ object: 'list', has_more: true, data: all.slice(0, 3) });
    const rest = await events(`?limit=100&after=${first.data[2]?.id}`);
    expect(rest).toEqual({ object: 'list', has_more: false, data: all.slice(3) });
    expect((await events(`?after=${all.at(-1)?.id}`)).data).toEqual([]);
  });

  it('shows events of some types, and of one recipient in any letter case', async () => {
    const typesOf = async (query: string) => (await events(query)).data.map(({ type }) => type).sort();
    expect(await typesOf('?type=bounced')).toEqual(['bounced']);
    expect(await typesOf('?type=bounced,queued')).toEqual(['bounced', 'queued']);
    expect(await typesOf('?type=bounced&type=queued,delivery_delayed')).toEqual([
      'bounced',
      'delivery_delayed',
      'queued',
    ]);
    expect(await typesOf('?type=unsubscribed')).toEqual([]);
    expect(await typesOf('?recipient=ANN%40to.test')).toEqual(['delivered', 'sent']);
    expect(await typesOf('?recipient=late@TO.test&type=sent')).toEqual(['sent']);
    expect(await typesOf('?recipient=nobody@to.test')).toEqual([]);
  });

  it('lists every recipient once, in the order of the envelope', async () => {
    const { data, ...list } = await get<ListEnvelope<EmailRecipientDto>>(`/emails/${id}/recipients`);
    expect(list).toEqual({ object: 'list', has_more: false });
    const time = expect.stringMatching(TIMESTAMP);
    const ended = (address: string, field: string, attempts: number) => ({
      address,
      field,
      last_event: 'delivered',
      attempts,
      last_attempt_at: time,
      next_attempt_at: null,
      reason: null,
      reason_code: null,
    });
    expect(data).toEqual([
      ended('ann@to.test', 'to', 1),
      ended('late@to.test', 'to', 2),
      {
        ...ended('no@to.test', 'cc', 1),
        last_event: 'bounced',
        reason: '550 5.1.1 User unknown',
        reason_code: 'address_unknown',
      },
      ended('hidden@to.test', 'bcc', 1),
    ]);
  });

  it('shows the time of the next attempt', async () => {
    const at = '2096-11-21T05:26:01Z';
    const later = await api.accept({ scheduled_at: at });
    const { data } = await get<ListEnvelope<EmailRecipientDto>>(`/emails/${later}/recipients`);
    expect(data).toEqual([
      {
        address: 'to@to.test',
        field: 'to',
        last_event: 'scheduled',
        attempts: 0,
        last_attempt_at: null,
        next_attempt_at: '2096-11-21 05:26:01.000000+00',
        reason: null,
        reason_code: null,
      },
    ]);
  });

  it('shows recipients refused by the topic', async () => {
    const body = { name: 'News', default_subscription: 'opt_out' };
    const topic = await api.host.request<{ id: string }>('POST', '/topics', { body });
    const refused = await api.accept({ topic_id: topic.body.id });
    await untilShown(api.host, refused, 'failed');
    const { data } = await get<ListEnvelope<EmailEventDto>>(`/emails/${refused}/events?type=failed`);
    expect(
      data.map(({ recipient, source, reason, reason_code, attempt }) => [
        recipient,
        source,
        reason,
        reason_code,
        attempt,
      ]),
    ).toEqual([['to@to.test', 'topic', 'topic_opted_out', 'topic_opted_out', null]]);
    const recipients = await get<ListEnvelope<EmailRecipientDto>>(`/emails/${refused}/recipients`);
    expect(recipients.data).toMatchObject([
      { last_event: 'failed', attempts: 0, reason: 'topic_opted_out', reason_code: 'topic_opted_out' },
    ]);
  });

  it.each([
    ['?limit=0', /^`limit` /],
    ['?limit=101', /^`limit` /],
    ['?before=1', /^`before` must be left out/],
    ['?after=', /^`after` /],
    ['?after=999999999', /^`after` must be the id of an event of this email/],
    ['?after=x', /^`after` /],
    ['?after=-1', /^`after` /],
    ['?after=9223372036854775808', /^`after` /],
    [`?after=${NOBODY}`, /^`after` /],
    ['?type=opend', /^`type` must be one or more of: queued, /],
    ['?type=sent,%00', /^`type` /],
    ['?recipient=nobody', /^`recipient` must be an address/],
    ['?recipient=a@to.test&recipient=b@to.test', /^`recipient` must be given once/],
    ['?recipient=%00@to.test', /^`recipient` /],
  ])('refuses %s', async (query, message) => {
    await api.refuseRequest('GET', `/emails/${id}/events${query}`, {}, invalid(message));
  });

  it.each(['events', 'recipients'])('has no %s of an email of another account', async (what) => {
    expectRefusal(await api.host.request('GET', `/emails/${id}/${what}`, { token }), NOT_FOUND);
    expectRefusal(await api.host.request('GET', `/emails/${NOBODY}/${what}`), NOT_FOUND);
    for (const wrong of ['1', 'metrics', `${NOBODY}x`, '%00']) {
      expectRefusal(await api.host.request('GET', `/emails/${wrong}/${what}`), BAD_ID);
    }
  });

  it('is for full access only', async () => {
    const body = { name: 'sender', permission: 'sending_access' };
    const sender = (await api.host.request<{ token: string }>('POST', '/api-keys', { body })).body;
    for (const path of [`/emails/${id}/events`, `/emails/${id}/recipients`, '/emails/metrics']) {
      const restricted = { status: 401, name: 'restricted_api_key', message: /only send/ };
      expectRefusal(await api.host.request('GET', path, sender), restricted);
    }
  });

  describe('in numbers', () => {
    it('counts recipients of each event, at once', async () => {
      const { object, totals, data, granularity, dimensions } = await metrics(`?email_id=${id}`);
      expect({ object, data, granularity, dimensions }).toEqual({
        object: 'metrics',
        data: undefined,
        granularity: 'daily',
        dimensions: [],
      });
      expect(totals).toEqual({
        received: 0,
        delivered: 3,
        complained: 0,
        suppressed: 0,
        bounced: 1,
        bounced_transient: 0,
        bounced_permanent: 1,
        bounced_undetermined: 0,
        opened: 0,
        clicked: 0,
        unsubscribed: 0,
        delivery_delayed: 1,
        failed: 0,
        sent: 3,
        unique_opened: 0,
        unique_clicked: 0,
        delivery_rate: 100,
        open_rate: 0,
        click_rate: 0,
        bounce_rate: 33.3,
        complaint_rate: 0,
        unsubscribe_rate: 0,
      });
    });

    it('counts the same by the events of an email and for the account, by domain and time', async () => {
      const path = '/emails/metrics?metrics=sent,delivered&dimensions=';
      const mine = async (query: string) => get<EmailMetricsDto>(`${path}${query}`, token);
      expect((await mine('domain,email')).data).toEqual([]);
      const options = { token, body: { from: 'a@A.test', to: ['b@to.test', 'c@to.test'], subject: 'Hello', text: '' } };
      const sent = (await api.host.request<{ id: string }>('POST', '/emails', options)).body.id;
      await untilSettled(api.host, [sent]);
      const counts = { sent: 2, delivered: 2 };
      const domain = { domain_id: null, domain_name: 'a.test' };
      expect((await mine('domain')).data).toEqual([{ ...domain, ...counts }]);
      expect((await mine('email,domain')).data).toEqual([{ ...domain, email_id: sent, ...counts }]);
      expect((await mine(`email&email_id=${sent.toUpperCase()}&email_id=${NOBODY}`)).data).toEqual([
        { email_id: sent, ...counts },
      ]);
      expect((await mine('broadcast')).data).toEqual([]);
      expect((await mine(`domain&domain_id=${NOBODY}`)).totals).toEqual({ sent: 0, delivered: 0 });
      const days = await mine('period');
      expect(days.data).toHaveLength(7);
      expect(days.data?.[0]).toEqual({ period: days.start_date.slice(0, 10), sent: 0, delivered: 0 });
      const last = days.data?.slice(-2).reduce((sum, { sent = 0 }) => sum + sent, 0);
      expect(last).toBe(2);
      expect((await metrics(`?email_id=${sent}`)).totals.sent).toBe(0);
    });

    it('writes the domain in A-labels', async () => {
      const { data } = await metrics(`?dimensions=domain&metrics=sent&email_id=${id}`);
      expect(data).toEqual([{ domain_id: null, domain_name: 'xn--bcher-kva.test', sent: 3 }]);
    });

    it('answers the official client', async () => {
      const resend = new Resend(api.host.token, { baseUrl: api.host.url });
      const { data, error } = await resend.emails.metrics({
        startDate: '2026-01-01',
        timezone: 'America/New_York',
        granularity: 'monthly',
        metrics: ['sent', 'bounce_rate'],
        dimensions: ['period', 'email'],
        emailId: [id],
      });
      expect(error).toBeNull();
      expect(data).toMatchObject({
        object: 'metrics',
        start_date: '2026-01-01T00:00:00.000Z',
        metrics: ['sent', 'bounce_rate'],
        granularity: 'monthly',
        totals: { sent: 3, bounce_rate: 33.3 },
        data: [{ period: expect.stringMatching(/^\d{4}-\d\d-01$/), email_id: id, sent: 3, bounce_rate: 33.3 }],
      });
      expect((await resend.emails.metrics()).data?.totals.sent).toBeGreaterThan(0);
    });

    it.each([
      ['start_date=yesterday', /^`start_date` must be an ISO 8601 date/],
      ['end_date=2026-02-30', /^`end_date` /],
      ['start_date=2026-07-02&end_date=2026-07-01', /^`start_date` must be on or before/],
      ['timezone=Berlin', /^`timezone` /],
      ['timezone=%2B02:00', /^`timezone` /],
      ['granularity=yearly', /^`granularity` /],
      ['granularity=daily&granularity=weekly', /^`granularity` must be given once/],
      ['metrics=sent,opend', /^`metrics` /],
      ['dimensions=tag', /^`dimensions` /],
      ['dimensions=email,broadcast', /^`email_id` and the dimension `email`/],
      [`email_id=${NOBODY}&broadcast_id=${NOBODY}`, /^`email_id` and the dimension `email`/],
      ['domain_id=example.com', /^`domain_id` must be a valid UUID/],
      ['email_id=1', /^`email_id` must be a valid UUID/],
      [`email_id=${NOBODY},x`, /^`email_id` must be a valid UUID/],
      ['broadcast_id=x', /^`broadcast_id` must be a valid UUID/],
      ['granularity=hourly&dimensions=period&start_date=2020-01-01', /10000 periods/],
    ])('refuses %s', async (query, message) => {
      await api.refuseRequest('GET', `/emails/metrics?${query}`, {}, invalid(message));
    });

    it('counts each event of a recipient once', async () => {
      const [sums] = await api.host.query<{ counted: number; recorded: number }>(`
        SELECT (SELECT sum(count)::integer FROM (
            SELECT count FROM nestjs_emails.event_counts UNION ALL SELECT count FROM nestjs_emails.event_totals
          ) AS counts) AS counted,
          (SELECT count(*)::integer FROM nestjs_emails.events WHERE recipient IS NOT NULL) AS recorded`);
      expect(sums?.counted).toBe(sums?.recorded);
      expect(sums?.counted).toBeGreaterThan(8);
    });
  });

  it('loses deleted events, and keeps recipients and counts', async () => {
    const before = (await metrics()).totals;
    api.host.env.RETENTION_EVENTS = '1ms';
    await api.host.restart();
    const gone = async () => (await events()).data.length === 0 && (await attemptsOf(api.host, id)).length === 0;
    await until(gone);
    const { data } = await get<ListEnvelope<EmailRecipientDto>>(`/emails/${id}/recipients`);
    const nothing = { attempts: null, last_attempt_at: null, next_attempt_at: null, reason: null, reason_code: null };
    expect(data[2]).toEqual({ address: 'no@to.test', field: 'cc', last_event: 'bounced', ...nothing });
    expect((await metrics()).totals).toEqual(before);
  });
});
