import type { SendEmail } from 'nestjs-emails';
import { until } from '../support/basics/wait-for.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;
let host: SmallHost;

const send = ({ emails }: HostTools, account: string, to: string, fields: object = {}) =>
  emails.send(account, { from: 'from@from.test', to, subject: 'Hello', text: 'Hello', ...fields } as SendEmail);
const hold = ({ emails }: HostTools, account: string) => emails.hold(account, 'Too many bounces.');
const release = ({ emails }: HostTools, account: string) => emails.release(account);
const read = ({ emails }: HostTools, id: string) => emails.get('one', id);

/** Waits until a worker has found that an email is due, and kept it. */
const untilKept = (id: string) =>
  until(
    async () =>
      (await host.query("SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 AND due_at = 'infinity'", [id]))
        .length === 1,
  );
const copiesTo = (address: string) => sink.messages.filter(({ envelope }) => envelope.to.includes(address)).length;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await SmallHost.start(sink, {
    delivery: { retrySchedule: [200, 200, 200, 200, 200, 200], sweepInterval: 300 },
  });
});

beforeEach(() => sink.reset());

afterEach(() => host.run(release, 'one'));

describe(`a held account, queue on ${queueKind()}`, () => {
  it('has its emails accepted and kept, while others are sent, until it is released', async () => {
    await host.run(hold, 'one');
    const { id } = await host.run(send, 'one', 'kept@to.test');
    await host.run(send, 'two', 'other@to.test');
    await sink.waitFor(1);
    await untilKept(id);
    expect(await host.run(read, id)).toMatchObject({
      last_event: 'queued',
      held: { since: expect.stringMatching(/^20.*\+00$/), reason: 'Too many bounces.' },
    });
    expect(await host.run(({ emails }) => emails.holds())).toEqual([
      { accountId: 'one', since: expect.any(String), reason: 'Too many bounces.' },
    ]);
    expect([copiesTo('kept@to.test'), copiesTo('other@to.test')]).toEqual([0, 1]);
    await host.run(release, 'one');
    await untilShown(host, id, 'sent');
    expect(copiesTo('kept@to.test')).toBe(1);
    expect(await host.run(read, id)).not.toHaveProperty('held');
    expect(await host.run(({ emails }) => emails.holds())).toEqual([]);
  });

  it('keeps the time of its first hold, and takes the newest reason', async () => {
    await host.run(hold, 'one');
    const [first] = await host.run(({ emails }) => emails.holds());
    await host.run(({ emails }) => emails.hold('one', `\0${'x'.repeat(600)}`));
    const [second] = await host.run(({ emails }) => emails.holds());
    expect(second).toEqual({ ...first, reason: `\ufffd${'x'.repeat(499)}` });
  });

  it('has scheduled emails that fall due, and can be canceled or rescheduled', async () => {
    await host.run(hold, 'one');
    const soon = () => ({ scheduled_at: new Date(Date.now() + 300).toISOString() });
    const ids: string[] = [];
    for (const name of ['canceled', 'moved', 'stays']) {
      ids.push((await host.run(send, 'one', `${name}@to.test`, soon())).id);
    }
    for (const id of ids) await untilKept(id);
    const [canceled = '', moved = '', stays = ''] = ids;
    await host.run(({ emails }, id) => emails.cancel('one', id), canceled);
    await host.run(
      ({ emails }, id, at) => emails.reschedule('one', id, { scheduled_at: at }),
      moved,
      soon().scheduled_at,
    );
    await untilKept(moved);
    await host.run(release, 'one');
    for (const id of [moved, stays]) await untilShown(host, id, 'sent');
    expect(sink.messages.flatMap(({ envelope }) => envelope.to).sort()).toEqual(['moved@to.test', 'stays@to.test']);
    expect(await host.run(read, canceled)).toMatchObject({ last_event: 'canceled' });
  });

  it('keeps emails that wait for another attempt, and shows no next one', async () => {
    sink.onRcpt = () => '450 4.2.0 Later.';
    const { id } = await host.run(send, 'one', 'delayed@to.test');
    await untilShown(host, id, 'delivery_delayed');
    await host.run(hold, 'one');
    await untilKept(id);
    const recipients = await host.run(({ emails }, id) => emails.recipients('one', id), id);
    expect(recipients?.data).toEqual([
      expect.objectContaining({ last_event: 'delivery_delayed', next_attempt_at: null }),
    ]);
    sink.reset();
    await host.run(({ emails }, id) => emails.retry('one', id), id);
    await untilKept(id);
    await host.run(release, 'one');
    await untilShown(host, id, 'sent');
  });

  it('sends each email once, however often it is held and released meanwhile', async () => {
    const count = 200;
    const sending = Array.from({ length: count }, (_, at) => host.run(send, 'one', `many${at}@to.test`));
    const holding: Promise<unknown>[] = [];
    for (let turn = 0; turn < 20; turn++) {
      holding.push(host.run(hold, 'one'));
      await host.run(release, 'one');
    }
    await Promise.all([...sending, ...holding]);
    await host.run(release, 'one');
    await sink.waitFor(count);
    await until(async () => {
      const left = await host.query(
        "SELECT FROM nestjs_emails.deliveries WHERE due_at = 'infinity' OR last_event = 'queued'",
      );
      return left.length === 0;
    });
    expect(new Set(sink.messages.flatMap(({ envelope }) => envelope.to)).size).toBe(count);
    expect(sink.messages).toHaveLength(count);
  });

  it('stays held whole while a row of it is locked, and can be released after that', async () => {
    await host.run(hold, 'one');
    const ids: string[] = [];
    for (const name of ['a', 'b']) ids.push((await host.run(send, 'one', `${name}@to.test`)).id);
    for (const id of ids) await untilKept(id);
    const refusal = await host.run(async ({ dataSource, emails }, id) => {
      return dataSource.transaction(async (manager) => {
        await manager.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 FOR UPDATE', [id]);
        return emails.release('one').catch((error: { statusCode: number }) => error.statusCode);
      });
    }, ids[0] ?? '');
    expect(refusal).toBe(503);
    expect(await host.run(({ emails }) => emails.holds())).toHaveLength(1);
    expect(sink.messages).toEqual([]);
    await host.run(release, 'one');
    for (const id of ids) await untilShown(host, id, 'sent');
  });
});
