import { randomUUID } from 'node:crypto';
import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { eventsOf, eventTypes, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { headerLines } from '../support/reading/mime.js';
import { expectRefused, invalid } from '../support/rules/refusals.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

type Choice = 'opted in' | 'opted out' | 'no choice' | 'not a contact';
type Default = 'opt_in' | 'opt_out';
type Field = 'to' | 'cc' | 'bcc';

const CHOICES: Choice[] = ['opted in', 'opted out', 'no choice', 'not a contact'];
const DEFAULTS: Default[] = ['opt_in', 'opt_out'];
const FIELDS: Field[] = ['to', 'cc', 'bcc'];

/** The rule of the contract, section 2.3. */
function isSent(choice: Choice, byDefault: Default): boolean {
  if (choice === 'opted in') return true;
  if (choice === 'opted out') return false;
  return byDefault === 'opt_in';
}

/** Record of a recipient that the policy refused. */
const keptBack = (recipient: string) => ({ type: 'failed', recipient, reason: 'topic_opted_out' });

const TABLE = CHOICES.flatMap((choice) =>
  DEFAULTS.flatMap((byDefault) => FIELDS.map((field): [Choice, Default, Field] => [choice, byDefault, field])),
);

/** Header fields that readers see, from all copies. */
function visible(messages: readonly SinkMessage[]): string {
  return messages
    .flatMap(({ raw }) => headerLines(raw))
    .filter((line) => /^(to|cc|bcc|resent-|delivered-to|x-)/i.test(line))
    .join('\n');
}

describe('the topic rule', () => {
  let sink: SmtpSink;
  let host: RunningHost;
  const topics = {} as Record<Default, string>;
  let names = 0;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final' } });
    for (const byDefault of DEFAULTS) topics[byDefault] = await newTopic(byDefault);
  });

  beforeEach(() => sink.reset());

  async function create(path: string, body: object): Promise<string> {
    const answer = await host.request<{ id: string }>('POST', path, { body });
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  const newTopic = (default_subscription: Default) => create('/topics', { name: 'Topic', default_subscription });

  const contact = (email: string, fields: object = {}) => create('/contacts', { email, ...fields });

  async function choose(email: string, topic: string, subscription: Default): Promise<void> {
    const body = [{ id: topic, subscription }];
    const { status } = await host.request('PATCH', `/contacts/${encodeURIComponent(email)}/topics`, { body });
    expect(status).toBe(200);
  }

  /** A new address with this state. */
  async function somebody(choice: Choice, topic: string): Promise<string> {
    names += 1;
    const email = `${choice.replaceAll(' ', '-')}-${names}@to.test`;
    if (choice !== 'not a contact') await contact(email);
    if (choice === 'opted in') await choose(email, topic, 'opt_in');
    if (choice === 'opted out') await choose(email, topic, 'opt_out');
    return email;
  }

  const gotCopy = () => sink.messages.flatMap(({ envelope }) => envelope.to).sort();

  describe.each(TABLE)('for a recipient that is/has %s, default %s, in %s', (choice, byDefault, field) => {
    const sent = isSent(choice, byDefault);

    it(`beside others: ${sent ? 'gets a copy' : 'leaves the envelope and the headers'}`, async () => {
      const topic = topics[byDefault];
      const tested = await somebody(choice, topic);
      const companion = await somebody('opted in', topic);
      const lists = { to: [companion], [field]: field === 'to' ? [tested, companion] : [tested] };
      const id = await post(host, lists.to, { ...lists, topic_id: topic });
      await untilShown(host, id, 'delivered');

      expect(gotCopy()).toEqual(sent ? [tested, companion].sort() : [companion]);
      expect(visible(sink.messages)).toContain(companion);
      expect(visible(sink.messages).includes(tested)).toBe(sent && field !== 'bcc');
      const events = (await eventsOf(host, id)).filter(({ recipient }) => recipient === tested);
      expect(events).toEqual(
        sent
          ? [expect.objectContaining({ type: 'sent' }), expect.objectContaining({ type: 'delivered' })]
          : [keptBack(tested)],
      );
      expect(await eventTypes(host, id, companion)).toEqual(['sent', 'delivered']);
      const { body } = await host.request<{ data: Record<string, unknown>[] }>('GET', '/emails?limit=1');
      expect(body.data[0]).toMatchObject({ id, ...lists, last_event: 'delivered' });
    });

    if (field !== 'to') return;

    it(`alone: ${sent ? 'gets a copy' : 'the email ends as failed'}`, async () => {
      const topic = topics[byDefault];
      const tested = await somebody(choice, topic);
      const id = await post(host, tested, { topic_id: topic });
      await untilShown(host, id, sent ? 'delivered' : 'failed');
      await untilSettled(host, [id]);

      expect(gotCopy()).toEqual(sent ? [tested] : []);
      const history = (await eventsOf(host, id)).map((event) => [event.type, event.recipient]);
      expect(history).toEqual([
        ['queued', null],
        ...(sent
          ? [
              ['sent', tested],
              ['delivered', tested],
            ]
          : [['failed', tested]]),
      ]);
    });
  });

  it('keeps a valid header when no recipient is left in `to`', async () => {
    const topic = topics.opt_out;
    const [refused, allowed] = [await somebody('opted out', topic), await somebody('opted in', topic)];
    const id = await post(host, refused, { cc: allowed, topic_id: topic });
    await untilShown(host, id, 'delivered');
    expect(gotCopy()).toEqual([allowed]);
    expect(visible(sink.messages)).not.toContain(refused);
    expect(visible(sink.messages)).toContain(allowed);
  });

  it('does not apply to emails without a topic', async () => {
    const refused = await somebody('opted out', topics.opt_in);
    await host.request('PATCH', `/contacts/${refused}`, { body: { unsubscribed: true } });
    await untilShown(host, await post(host, refused), 'delivered');
    expect(gotCopy()).toEqual([refused]);
  });

  it.each(DEFAULTS)('counts the flag `unsubscribed` as opted out of every topic, default %s', async (byDefault) => {
    const email = await somebody('opted in', topics[byDefault]);
    await host.request('PATCH', `/contacts/${email}`, { body: { unsubscribed: true } });
    const id = await post(host, email, { topic_id: topics[byDefault] });
    await untilShown(host, id, 'failed');
    expect(await eventsOf(host, id)).toContainEqual(keptBack(email));
    await host.request('PATCH', `/contacts/${email}`, { body: { unsubscribed: false } });
    await untilShown(host, await post(host, email, { topic_id: topics[byDefault] }), 'delivered');
    expect(gotCopy()).toEqual([email]);
  });

  it.each([
    ['letter case', 'Case.Of@Letters.test', 'cASE.oF@lETTERS.TEST'],
    ['the spelling of the domain', 'idn@bücher.test', 'Idn@XN--BCHER-KVA.test'],
    ['a name', 'named@to.test', '"Named, Inc." <Named@to.test>'],
    ['quotes', 'quoted@to.test', '"Quoted"@to.test'],
    ['letter case beyond ASCII', 'jörg@to.test', 'JÖRG@to.test'],
  ])('finds the contact for any %s', async (_, email, recipient) => {
    await contact(email);
    await choose(email, topics.opt_in, 'opt_out');
    const id = await post(host, [recipient, 'beside@to.test'], { topic_id: topics.opt_in });
    await untilShown(host, id, 'delivered');
    expect(gotCopy()).toEqual(['beside@to.test']);
    expect(await eventTypes(host, id)).toEqual(expect.arrayContaining(['failed', 'delivered']));
  });

  it('knows the choices of its own account only', async () => {
    const { token } = await host.account('other choices');
    const other = (path: string, body: object) => host.request<{ id: string }>('POST', path, { body, token });
    const theirs = await other('/topics', { name: 'Theirs', default_subscription: 'opt_in' });
    const refused = { id: theirs.body.id, subscription: 'opt_out' };
    await other('/contacts', { email: 'shared@to.test', unsubscribed: true, topics: [refused] });
    await untilShown(host, await post(host, 'shared@to.test', { topic_id: topics.opt_in }), 'delivered');
    expect(gotCopy()).toEqual(['shared@to.test']);

    for (const topic_id of [theirs.body.id, randomUUID(), 'news', 7]) {
      const body = { from: 'a@from.test', to: 'b@to.test', subject: 's', text: 't', topic_id };
      const line = ['POST', '/emails', { body }] as const;
      await expectRefused(host, line, invalid('`topic_id`'), ['nestjs_emails.emails', 'nestjs_emails.events']);
    }
    expect(gotCopy()).toEqual(['shared@to.test']);
  });

  describe('between acceptance and delivery', () => {
    const scheduled = (to: string[], topic: string) =>
      post(host, to, { topic_id: topic, scheduled_at: new Date(Date.now() + host.seconds(1.5)).toISOString() });

    it('applies an opt-out to a pending email', async () => {
      const topic = topics.opt_in;
      const [changes, stays] = [await somebody('opted in', topic), await somebody('no choice', topic)];
      const [both, alone] = [await scheduled([changes, stays], topic), await scheduled([changes], topic)];
      await choose(changes, topic, 'opt_out');
      expect(sink.offered).toHaveLength(0);

      await untilShown(host, both, 'delivered');
      await untilShown(host, alone, 'failed');
      expect(gotCopy()).toEqual([stays]);
      expect(visible(sink.messages)).not.toContain(changes);
      expect(await eventsOf(host, both)).toContainEqual(keptBack(changes));
      expect(await eventTypes(host, alone)).toEqual(['scheduled', 'queued', 'failed']);
    });

    it('applies a late opt-in as well, also of a new contact', async () => {
      const topic = topics.opt_out;
      const id = await scheduled(['late@to.test'], topic);
      await contact('Late@to.test', { topics: [{ id: topic, subscription: 'opt_in' }] });
      await untilShown(host, id, 'delivered');
      expect(gotCopy()).toEqual(['late@to.test']);
    });

    it('sends to no recipient after the topic was deleted', async () => {
      const topic = await newTopic('opt_in');
      const email = await somebody('opted in', topic);
      const id = await scheduled([email], topic);
      await host.request('DELETE', `/topics/${topic}`);
      await untilShown(host, id, 'failed');
      expect(gotCopy()).toEqual([]);
      expect(await eventsOf(host, id)).toContainEqual(keptBack(email));
    });

    it('is checked again before every attempt', async () => {
      const topic = topics.opt_in;
      const [changes, stays] = [await somebody('opted in', topic), await somebody('opted in', topic)];
      sink.onRcpt = (_, count) => (count === 1 ? '451 4.7.1 later' : undefined);
      const id = await post(host, [changes, stays], { topic_id: topic });
      await eventually(async () => expect(await eventTypes(host, id, changes)).toEqual(['delivery_delayed']));
      await choose(changes, topic, 'opt_out');
      await untilShown(host, id, 'delivered');
      expect(gotCopy()).toEqual([stays]);
      expect(visible(sink.messages)).not.toContain(changes);
      expect(await eventTypes(host, id, changes)).toEqual(['delivery_delayed', 'failed']);
    });
  });
});
