import { Random } from '../../basics/random.js';
import { until } from '../../basics/wait-for.js';
import { type RunningHost, startHost } from '../../hosts/host.js';
import { FileServer } from '../../servers/file-server.js';
import { SmtpSink } from '../../servers/smtp/smtp-sink.js';
import { REPLIES, SHOP_EMAILS, SUBJECTS } from './shop-emails.js';

export const OPERATORS_TOKEN = 'operators-only-0123456789';

/** The shop's host, and ids of its content. */
export interface Shop {
  host: RunningHost;
  /** By the names of `SUBJECTS`. */
  emails: Record<keyof typeof SUBJECTS, string>;
  template: string;
  topic: string;
  contact: string;
  /** The entry of the address that bounced. */
  suppression: string;
  domain: string;
  webhook: string;
  event: string;
}

/** Hours with counts before now. */
const HOURS = 14 * 24;

/** A host in production with a day of a shop's emails, and all other things that an account may have. */
export async function startShop(): Promise<Shop> {
  const sink = await SmtpSink.start();
  sink.onRcpt = (address) => REPLIES[address];
  const receiver = await FileServer.start();
  receiver.routes['/hooks/email'] = (request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(200).end('{"received":true}'));
  };
  const host = await startHost({
    smtp: sink,
    env: {
      ADMIN_TOKEN: OPERATORS_TOKEN,
      RETRY_SCHEDULE: '1h,2h,4h',
      SMTP_HOP: 'final',
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    },
  });
  const made = <T>(path: string, body: object) => host.request<T & { id: string }>('POST', path, { body }).then(bodyOf);

  const webhook = await made('/webhooks', {
    endpoint: `${receiver.url}/hooks/email`,
    events: ['email.delivered', 'email.bounced', 'email.delivery_delayed'],
  });
  const topic = await made('/topics', {
    name: 'Product news',
    description: 'New products, once a month',
    default_subscription: 'opt_in',
  });
  for (const name of ['Weekly report', 'Offers'])
    await made('/topics', { name, description: 'Sent on Mondays', default_subscription: 'opt_out' });
  const contact = await fillContacts(made);
  const template = await fillTemplates(host, made);
  for (const name of ['Backend', 'Newsletter job']) await made('/api-keys', { name, permission: 'sending_access' });
  await made('/api-keys', { name: 'Support desk', page_role: 'support' });

  const emails = await sendAll(host);
  const event = await until(async () => {
    const events = await host.request<{ data: { id: string; status: string }[] }>(
      'GET',
      `/webhooks/${webhook.id}/events`,
    );
    return events.body.data.find(({ status }) => status === 'success')?.id;
  });
  const suppression = await fillSuppressions(host);
  const domain = await made('/domains', { name: 'northwind.example' });
  await backdate(host);
  await writePast(host);
  return {
    host,
    emails,
    template,
    topic: topic.id,
    contact,
    suppression,
    domain: domain.id,
    webhook: webhook.id,
    event,
  };
}

type Make = <T>(path: string, body: object) => Promise<T & { id: string }>;

function bodyOf<T>({ status, body }: { status: number; body: T }): T {
  if (status >= 300) throw new Error(`The shop is answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

async function fillContacts(made: Make): Promise<string> {
  const people = SHOP_EMAILS.flatMap(({ to }) => to).filter((address) => address.includes('.'));
  let jane = '';
  for (const email of new Set(people)) {
    const [first = '', last = ''] = (email.split('@')[0] ?? '').split('.').map(capital);
    const { id } = await made('/contacts', {
      email,
      first_name: first,
      last_name: last,
      properties: { plan: 'pro', seats: 3 },
    });
    if (email.startsWith('jane')) jane = id;
  }
  return jane;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

async function fillTemplates(host: RunningHost, made: Make): Promise<string> {
  const [shipped] = SHOP_EMAILS;
  const template = await made('/templates', {
    name: 'Order shipped',
    subject: 'Your order {{ORDER}} is on its way',
    html: shipped?.html.replace('We are glad', 'Dear {{CUSTOMER}}, we are glad'),
    variables: [
      { key: 'ORDER', type: 'number', fallback_value: 1182 },
      { key: 'CUSTOMER', type: 'string', fallback_value: 'customer' },
    ],
  });
  bodyOf(await host.request('POST', `/templates/${template.id}/publish`));
  await made('/templates', { name: 'Password reset', subject: 'Reset your password', html: '<p>Reset it</p>' });
  return template.id;
}

/** Sends the emails, each with its turn in the list, and waits until no email is on its way. */
async function sendAll(host: RunningHost): Promise<Shop['emails']> {
  const ids = new Map<string, string>();
  for (const body of SHOP_EMAILS) {
    const { id } = bodyOf(await host.request<{ id: string }>('POST', '/emails', { body }));
    ids.set(body.subject, id);
  }
  await until(async () => {
    const { data } = (await host.request<{ data: { last_event: string }[] }>('GET', '/emails?limit=100')).body;
    return data.every(({ last_event: state }) => !['queued', 'sent'].includes(state));
  });
  return Object.fromEntries(
    Object.entries(SUBJECTS).map(([name, subject]) => [name, ids.get(subject)]),
  ) as Shop['emails'];
}

/** Addresses of every origin. Resolves with the entry that the shop's own bounce added. */
async function fillSuppressions(host: RunningHost): Promise<string> {
  const add = (emails: string[], origin: string) =>
    host.request('POST', '/suppressions/batch/add', { body: { emails, origin } }).then(bodyOf);
  await add(['no-more@example.net'], 'complaint');
  await add(['spam-trap@example.net'], 'manual');
  return until(async () => {
    const { status, body } = await host.request<{ id: string }>('GET', '/suppressions/lukas.meyer@example.org');
    return status === 200 ? body.id : undefined;
  });
}

/** Moves the emails and their events into the past, one after the other: a shop does not send all of them at once. */
async function backdate(host: RunningHost): Promise<void> {
  await host.query(`
    WITH aged AS (
      SELECT id, (row_number() OVER (ORDER BY seq DESC) - 1) ^ 2 * interval '3 minutes' AS age FROM nestjs_emails.emails
    ), emails AS (
      UPDATE nestjs_emails.emails e SET created_at = created_at - age FROM aged WHERE aged.id = e.id
    ), attempts AS (
      UPDATE nestjs_emails.attempts a SET started_at = started_at - age, finished_at = finished_at - age
      FROM aged WHERE aged.id = a.email_id
    )
    UPDATE nestjs_emails.events v SET occurred_at = occurred_at - age FROM aged WHERE aged.id = v.email_id`);
}

/** Counts of recipients in the hours before. */
async function writePast(host: RunningHost): Promise<void> {
  const random = new Random('shop');
  const rows = Array.from({ length: HOURS }, (_, hour) => {
    const delivered = random.int(20, 60) + (hour % 24 < 10 ? random.int(40, 120) : 0);
    const bounced_permanent = random.int(0, 3);
    const delivery_delayed = random.int(0, 2);
    const complained = random.chance(0.05) ? 1 : 0;
    const counts = { sent: delivered, delivered, bounced_permanent, delivery_delayed, complained };
    return Object.entries(counts).map(([kind, count]) => ({ hour: hour + 1, kind, count }));
  }).flat();
  await host.query(
    `INSERT INTO nestjs_emails.event_totals (account_id, slot, domain, kind, count)
     SELECT account_id, date_bin('15 minutes', now() - hour * interval '1 hour', '2000-01-01 00:00:00+00'),
       'northwind.example', kind, count
     FROM json_to_recordset($1) AS past(hour int, kind text, count int),
       (SELECT account_id FROM nestjs_emails.emails LIMIT 1) AS shop
     WHERE count > 0`,
    [JSON.stringify(rows)],
  );
}
