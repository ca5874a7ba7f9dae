import type { RecipientPolicy } from 'nestjs-emails';
import { SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { attemptsOf, eventsOf, post, untilShown } from '../support/reading/deliveries.js';
import { headerLines } from '../support/reading/mime.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

type Decide = RecipientPolicy['decide'];

/** State of the policies in the host's process, where the test reaches it by `host.run`. */
declare global {
  var suppressed: Set<string> | undefined;
  var asked: { emailId: string; topicId: string | null; addresses: readonly string[] }[] | undefined;
  var answer: unknown;
}

/** A suppression list of the host, called first at any position. */
const suppressionList: Decide = async ({ addresses }) =>
  addresses.map((address) =>
    address.startsWith('suppressed') || globalThis.suppressed?.has(address)
      ? { allowed: false, code: 'complaint', reason: 'Complained once.' }
      : { allowed: true },
  );

/** An allow list for staging. Records its calls, and answers by the test's script. */
const allowList: Decide = async ({ emailId, topicId, addresses }) => {
  globalThis.asked = [...(globalThis.asked ?? []), { emailId, topicId, addresses }];
  if (globalThis.answer !== undefined) return globalThis.answer as never;
  return addresses.map((address) =>
    address.endsWith('@outside.test')
      ? { allowed: false, code: 'not_on_the_list', reason: 'Not on the list.' }
      : { allowed: true },
  );
};

const DELIVERY = { retrySchedule: [100], sweepInterval: 500 };

let sink: SmtpSink;
let host: SmallHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await SmallHost.start(sink, { delivery: DELIVERY }, undefined, [
    { decide: allowList },
    { decide: suppressionList, isSuppressionList: true },
  ]);
});

beforeEach(async () => {
  sink.reset();
  await host.run(async () => {
    globalThis.suppressed = new Set();
    globalThis.asked = [];
    globalThis.answer = undefined;
  });
});

const gotCopy = () => sink.messages.flatMap(({ envelope }) => envelope.to).sort();
const headers = () => sink.messages.flatMap(({ raw }) => headerLines(raw)).join('\n');
const askedOf = (id: string) =>
  host.run(async (_, id) => globalThis.asked?.filter(({ emailId }) => emailId === id) ?? [], id);

describe(`recipient policies of a stranger's host, queue on ${queueKind()}`, () => {
  it('keep recipients back, each with the reason of the first refusal, and hide them from others', async () => {
    const id = await post(host, ['stays@to.test', 'suppressed@to.test'], {
      cc: ['suppressed@outside.test', 'Copy <copy@to.test>'],
      bcc: ['blind@outside.test', 'blind@to.test'],
    });
    await untilShown(host, id, 'sent');
    expect(gotCopy()).toEqual(['blind@to.test', 'copy@to.test', 'stays@to.test']);
    expect(headers()).toMatch(/stays@to\.test/);
    expect(headers()).not.toMatch(/suppressed@|outside\.test|blind@/);

    const events = await eventsOf(host, id);
    const keptBack = events.filter(({ type }) => type === 'suppressed' || type === 'failed');
    expect(keptBack).toHaveLength(3);
    expect(keptBack).toEqual(
      expect.arrayContaining([
        { type: 'suppressed', recipient: 'suppressed@to.test', reason: 'Complained once.' },
        { type: 'suppressed', recipient: 'suppressed@outside.test', reason: 'Complained once.' },
        { type: 'failed', recipient: 'blind@outside.test', reason: 'not_on_the_list' },
      ]),
    );
    const [asked] = await askedOf(id);
    expect(asked).toMatchObject({ emailId: id, topicId: null });
    expect([...(asked?.addresses ?? [])].sort()).toEqual([
      'blind@outside.test',
      'blind@to.test',
      'copy@to.test',
      'stays@to.test',
    ]);
  });

  it('end an email as suppressed when the list refuses all recipients, without contact to the next hop', async () => {
    const id = await post(host, 'suppressed@to.test');
    await untilShown(host, id, 'suppressed');
    expect(await eventsOf(host, id)).toEqual([
      { type: 'queued', recipient: null, reason: null },
      { type: 'suppressed', recipient: 'suppressed@to.test', reason: 'Complained once.' },
    ]);
    const timeline = await host.run(({ emails }, id) => emails.events('one', id, { type: 'suppressed' }), id);
    expect(timeline?.data).toMatchObject([{ source: 'suppression', reason_code: 'complaint' }]);
    expect(await attemptsOf(host, id)).toEqual([]);
    expect(await askedOf(id)).toEqual([]);
    expect(sink.offered).toEqual([]);
  });

  it('end an email with one event for each recipient when the list did not refuse them', async () => {
    const id = await post(host, ['one@outside.test', 'two@outside.test']);
    await untilShown(host, id, 'failed');
    const [queued, ...refused] = await eventsOf(host, id);
    expect(queued).toEqual({ type: 'queued', recipient: null, reason: null });
    expect(refused.sort((a, b) => String(a.recipient).localeCompare(String(b.recipient)))).toEqual(
      ['one@outside.test', 'two@outside.test'].map((recipient) => ({
        type: 'failed',
        recipient,
        reason: 'not_on_the_list',
      })),
    );
    const timeline = await host.run(({ emails }, id) => emails.events('one', id), id);
    expect(new Set(timeline?.data.map(({ source }) => source))).toEqual(new Set(['api', 'policy']));
    expect(new Set(timeline?.data.map((event) => event.reason_code))).toEqual(new Set([null, 'not_on_the_list']));
    expect(sink.offered).toEqual([]);
  });

  it('are called again before every attempt', async () => {
    const [changes, stays] = ['changes@to.test', 'stays@to.test'];
    sink.onRcpt = async (address, count) => {
      if (address !== changes || count > 1) return undefined;
      await host.run(async (_, address) => void globalThis.suppressed?.add(address), changes);
      return '451 4.7.1 later';
    };
    const id = await post(host, [changes, stays]);
    await untilShown(host, id, 'sent');
    expect(gotCopy()).toEqual([stays]);
    const ofChanged = (await eventsOf(host, id)).filter(({ recipient }) => recipient === changes);
    expect(ofChanged.map(({ type }) => type)).toEqual(['delivery_delayed', 'suppressed']);
  });

  it.each<[string, unknown]>([
    ['too few decisions', [{ allowed: true }]],
    ['invalid decisions', [true, true]],
    ['nothing', null],
  ])('defer an email that they answer with %s, and refuse no recipient', async (_, answer) => {
    await host.run(async (_, answer) => {
      globalThis.answer = answer;
    }, answer);
    const id = await post(host, ['a@to.test', 'b@to.test']);
    // By the host's schedule: once more, and then no more.
    await untilShown(host, id, 'failed');
    const events = await eventsOf(host, id);
    expect(events.filter(({ type }) => type === 'suppressed')).toEqual([]);
    const reason = 'The message could not be made: InvalidPolicyAnswer';
    for (const recipient of ['a@to.test', 'b@to.test']) {
      expect(events).toContainEqual({ type: 'delivery_delayed', recipient, reason });
      expect(events).toContainEqual({ type: 'failed', recipient, reason: `Gave up. Last reply: ${reason}` });
    }
    expect(sink.offered).toEqual([]);
  });
});
