import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPause, PauseTarget, SendEmail } from 'nestjs-emails';
import { freePort } from '../support/basics/free-port.mjs';
import { until } from '../support/basics/wait-for.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const TOPIC = '0198f0c1-0000-7000-8000-00000000000a';
const OTHER_TOPIC = '0198f0c1-0000-7000-8000-00000000000b';
const OPTIONS = { delivery: { retrySchedule: [200, 200, 200, 200, 200, 200], sweepInterval: 300 } };

let sinks: [SmtpSink, SmtpSink];
let names: [string, string];
let host: SmallHost;

const settings = () => ({
  smtpUrls: sinks.map(({ url }) => url),
  ports: SmallHost.ports({
    topicPolicy: [
      {
        exists: async () => true,
        decide: async (_: string, __: string, addresses: string[]) => addresses.map(() => ({ allowed: true })),
      },
    ],
    templateSource: [
      {
        find: async (_: string, asked: string) => ({
          id: asked.replace('alias-of-', ''),
          from: 'from@from.test',
          subject: 'Hello',
          replyTo: [],
          html: null,
          text: 'Hello',
          variables: [],
        }),
      },
    ],
  }),
});

const send = ({ emails }: HostTools, account: string, to: string | string[], fields: object = {}) =>
  emails.send(account, { from: 'from@from.test', to, subject: 'Hello', text: 'Hello', ...fields } as SendEmail);
const sendTemplate = ({ emails }: HostTools, to: string, id: string) => emails.send('one', { to, template: { id } });
const pause = ({ emails }: HostTools, what: NewPause) => emails.pause(what);
const resume = ({ emails }: HostTools, target?: PauseTarget) => emails.resume(target ?? undefined);
const pauses = ({ emails }: HostTools) => emails.pauses();
const read = ({ emails }: HostTools, id: string) => emails.get('one', id);

const keptOf = async (ids: readonly string[]) =>
  (await host.query("SELECT FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND due_at = 'infinity'", [ids]))
    .length;
/** Waits until workers have found that these emails are due, and kept them. */
const untilKept = (...ids: string[]) => until(async () => (await keptOf(ids)) === ids.length);
const got = (address: string) =>
  sinks.map(({ messages }) => messages.filter(({ envelope }) => envelope.to.includes(address)).length);
/** Messages to addresses that begin so, of all sinks. */
const all = (name: string) =>
  sinks.flatMap(({ messages }) => messages.flatMap(({ envelope }) => envelope.to.filter((to) => to.startsWith(name))));
const copiesTo = (address: string) => got(address).reduce((sum, count) => sum + count, 0);
const resets = () => {
  for (const sink of sinks) sink.reset();
};

beforeAll(async () => {
  sinks = [await SmtpSink.start(), await SmtpSink.start()];
  names = [`127.0.0.1:${sinks[0].port}`, `127.0.0.1:${sinks[1].port}`];
  host = await SmallHost.start(sinks[0], OPTIONS, undefined, [], settings());
});

beforeEach(resets);

afterEach(async () => {
  for (const { since: _, reason: __, ...target } of await host.run(pauses)) await host.run(resume, target);
});

describe(`a pause, queue on ${queueKind()}`, () => {
  it.each([
    ['all mail', {}],
    ['an account', { account: 'one' }],
    ['a topic', { topic: TOPIC.toUpperCase() }],
    ['a template', { template: 'welcome' }],
  ] as [string, PauseTarget][])(
    'of %s keeps its emails, which are accepted, until it is resumed',
    async (_, target) => {
      await host.run(pause, { ...target, reason: 'The link is wrong.' });
      const { id } =
        'template' in target
          ? await host.run(sendTemplate, 'kept@to.test', 'alias-of-welcome')
          : await host.run(send, 'one', 'kept@to.test', { topic_id: TOPIC });
      await untilKept(id);
      expect(await host.run(read, id)).toMatchObject({
        last_event: 'queued',
        held: { since: expect.stringMatching(/^20.*\+00$/), reason: 'The link is wrong.' },
      });
      const [found] = await host.run(pauses);
      const stored = target.topic === undefined ? target : { topic: TOPIC };
      expect(found).toEqual({ ...stored, since: expect.any(String), reason: 'The link is wrong.' });
      expect(copiesTo('kept@to.test')).toBe(0);
      await host.run(resume, target);
      await untilShown(host, id, 'sent');
      expect(copiesTo('kept@to.test')).toBe(1);
      expect(await host.run(read, id)).not.toHaveProperty('held');
    },
  );

  it('leaves other accounts, topics and templates alone', async () => {
    for (const target of [{ account: 'two' }, { topic: TOPIC }, { template: 'welcome' }]) {
      await host.run(pause, { ...target, reason: 'Wait.' });
    }
    const sent = [
      await host.run(send, 'one', 'plain@to.test'),
      await host.run(send, 'one', 'topic@to.test', { topic_id: OTHER_TOPIC }),
      await host.run(sendTemplate, 'template@to.test', 'goodbye'),
    ];
    for (const { id } of sent) await untilShown(host, id, 'sent');
  });

  it('of one kind still keeps what another one has released', async () => {
    await host.run(pause, { reason: 'Restored.' });
    await host.run(pause, { account: 'one', reason: 'Bounces.' });
    const { id } = await host.run(send, 'one', 'twice@to.test');
    const other = await host.run(send, 'two', 'other@to.test');
    await untilKept(id, other.id);
    await host.run(resume);
    await until(() => copiesTo('other@to.test') === 1);
    await untilKept(id);
    expect(await host.run(read, id)).toMatchObject({ held: { reason: 'Bounces.' } });
    expect(copiesTo('twice@to.test')).toBe(0);
    await host.run(resume, { account: 'one' });
    await untilShown(host, id, 'sent');
  });

  it('says what would leave when it ends, by account, and leaves out what another one keeps', async () => {
    await host.run(pause, { reason: 'Restored.' });
    await host.run(pause, { account: 'three', reason: 'Bounces.' });
    const ids: string[] = [];
    for (const account of ['one', 'two', 'two', 'three']) {
      ids.push((await host.run(send, account, `${account}@to.test`)).id);
    }
    await host.run(send, 'two', 'later@to.test', { scheduled_at: 'in 1 hour' });
    await untilKept(...ids);
    const mail = (target: PauseTarget = {}) => host.run(({ emails }, target) => emails.pausedMail(target), target);
    expect(await mail()).toEqual({
      count: 3,
      accounts: [
        { accountId: 'two', count: 2 },
        { accountId: 'one', count: 1 },
      ],
    });
    expect(await mail({ account: 'three' })).toEqual({ count: 0, accounts: [] });
    expect(await host.run(({ emails }) => emails.pausedParts())).toEqual(['everything', 'accounts']);
    await host.run(resume);
    expect(await mail({ account: 'three' })).toEqual({ count: 1, accounts: [{ accountId: 'three', count: 1 }] });
    for (const id of ids.slice(0, 1)) await untilShown(host, id, 'sent');
  });

  it('keeps its time, and takes the newest reason', async () => {
    await host.run(pause, { reason: 'First.' });
    const [first] = await host.run(pauses);
    await host.run(pause, { reason: 'Second.' });
    expect(await host.run(pauses)).toEqual([{ ...first, reason: 'Second.' }]);
  });

  it('is in force in another process at once, and outlives one that is killed', async () => {
    const other = await SmallHost.start(sinks[0], OPTIONS, host.database, [], settings());
    await other.run(pause, { reason: 'Deploy.' });
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push((await host.run(send, 'one', `killed${n}@to.test`)).id);
    await host.kill();
    await host.start();
    await untilKept(...ids);
    expect(all('killed')).toEqual([]);
    await other.run(resume);
    await other.kill();
    for (const id of ids) await untilShown(host, id, 'sent');
    expect(ids.map((_, n) => copiesTo(`killed${n}@to.test`))).toEqual(ids.map(() => 1));
  });

  it('begins while emails are leased and prepared: no message begins after it, and those on the wire end', async () => {
    const count = 200;
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let ended = 0;
    let held = 0;
    let begun = 0;
    for (const sink of sinks) {
      sink.onMail = () => {
        begun++;
        return undefined;
      };
      // While messages end one after the other, the next ones are prepared.
      sink.onMessage = async () => {
        if (ended++ < 60) await sleep(10);
        else {
          held++;
          await gate;
        }
        return undefined;
      };
    }
    const ids = (
      await Promise.all(Array.from({ length: count }, (_, n) => host.run(send, 'one', `leased${n}@to.test`)))
    ).map(({ id }) => id);
    await until(() => held > 0);
    await host.run(pause, { reason: 'Stop.' });
    const before = begun;
    goOn();
    const sent = async () =>
      (
        await host.query<{ id: string }>(
          "SELECT email_id AS id FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND last_event = 'sent'",
          [ids],
        )
      ).map(({ id }) => id);
    await until(async () => (await sent()).length + (await keptOf(ids)) === count);
    expect(begun).toBe(before);
    expect(all('leased')).toHaveLength(before);
    expect(before).toBeLessThan(count);
    const unknown = 'SELECT FROM nestjs_emails.attempts WHERE email_id = ANY($1) AND (unknown OR finished_at IS NULL)';
    expect(await host.query(unknown, [ids])).toEqual([]);
    await host.run(resume);
    await until(async () => (await sent()).length === count);
    expect(new Set(all('leased')).size).toBe(count);
    expect(all('leased')).toHaveLength(count);
  });

  it('of thousands of emails ends without losing one', async () => {
    await host.run(pause, { reason: 'Many.' });
    const count = 2_000;
    await host.run(async ({ emails }, count) => {
      for (let from = 0; from < count; from += 100) {
        await emails.sendBatch(
          'many',
          Array.from({ length: 100 }, (_, n) => ({
            from: 'from@from.test',
            to: `many${from + n}@to.test`,
            subject: 'Hello',
            text: 'Hello',
          })),
        );
      }
    }, count);
    const kept = async () =>
      (
        await host.query<{ count: number }>(
          `SELECT count(*)::integer AS count FROM nestjs_emails.deliveries d JOIN nestjs_emails.emails e ON e.id = d.email_id
           WHERE d.due_at = 'infinity' AND e.account_id = 'many'`,
        )
      )[0]?.count;
    await until(async () => (await kept()) === count, { timeout: host.seconds(120) });
    expect(all('many')).toEqual([]);
    await host.run(resume);
    const arrived = () => all('many');
    await until(() => arrived().length >= count, { timeout: host.seconds(120) });
    expect(new Set(arrived()).size).toBe(count);
    expect(arrived()).toHaveLength(count);
    expect(await kept()).toBe(0);
  });

  it('stays whole while a row of it is locked, and holds up no other account', async () => {
    await host.run(pause, { account: 'one', reason: 'Wait.' });
    const a = await host.run(send, 'one', 'a@to.test');
    const b = await host.run(send, 'one', 'b@to.test');
    await untilKept(a.id, b.id);
    const refusal = await host.run(async ({ dataSource, emails }, id) => {
      return dataSource.transaction(async (manager) => {
        await manager.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 FOR UPDATE', [id]);
        await manager.query('SELECT FROM nestjs_emails.pauses FOR UPDATE');
        const { id: other } = await emails.send('two', {
          from: 'from@from.test',
          to: 'free@to.test',
          subject: 'Hello',
          text: 'Hello',
        });
        while ((await emails.get('two', other))?.last_event !== 'sent') await new Promise(setImmediate);
        return emails.resume({ account: 'one' }).catch((error: { statusCode: number }) => error.statusCode);
      });
    }, a.id);
    expect(refusal).toBe(503);
    expect(await host.run(pauses)).toHaveLength(1);
    expect(copiesTo('b@to.test')).toBe(0);
    await host.run(resume, { account: 'one' });
    for (const { id } of [a, b]) await untilShown(host, id, 'sent');
  });
});

describe('a pause of a transport', () => {
  it('sends its mail through the other one, and keeps what no transport may take', async () => {
    const [first, second] = names;
    await host.run(pause, { transport: first, reason: 'Maintenance.' });
    const moved = await host.run(send, 'one', 'moved@to.test');
    await untilShown(host, moved.id, 'sent');
    expect(got('moved@to.test')).toEqual([0, 1]);
    await host.run(pause, { account: 'one', transport: second, reason: 'Its mail is bad for the other.' });
    const { id } = await host.run(send, 'one', 'kept@to.test');
    const other = await host.run(send, 'two', 'other@to.test');
    await untilKept(id);
    expect(await host.run(read, id)).toMatchObject({ last_event: 'queued', held: { since: expect.any(String) } });
    await until(() => got('other@to.test')[1] === 1);
    expect(await host.run(({ emails }) => emails.holds())).toEqual([]);
    await host.run(resume, { transport: first });
    await untilShown(host, id, 'sent');
    expect(got('kept@to.test')).toEqual([1, 0]);
    expect((await host.run(({ emails }, id) => emails.get('two', id), other.id))?.last_event).toBe('sent');
  });

  it('keeps no mail after a restart with another transport', async () => {
    const first = await SmallHost.start(sinks[0], OPTIONS, undefined, [], { ...settings(), smtpUrls: [sinks[0].url] });
    await first.run(pause, { transport: names[0], reason: 'Maintenance.' });
    const { id } = await first.run(send, 'one', 'renamed@to.test');
    await until(
      async () => (await first.query("SELECT FROM nestjs_emails.deliveries WHERE due_at = 'infinity'")).length === 1,
    );
    await first.stop();
    const other = { ...settings(), smtpUrls: [sinks[1].url] };
    const second = await SmallHost.start(sinks[1], OPTIONS, first.database, [], other);
    await untilShown(second, id, 'sent');
    expect(got('renamed@to.test')).toEqual([0, 1]);
  });

  it('lets mail go on that waits for the other one, which is down, when it ends', async () => {
    const away = await SmallHost.start(sinks[0], OPTIONS, undefined, [], {
      ...settings(),
      smtpUrls: [sinks[0].url, `smtp://127.0.0.1:${await freePort()}`],
    });
    await away.run(pause, { transport: names[0], reason: 'Maintenance.' });
    const { id } = await away.run(send, 'one', 'waits@to.test');
    await untilShown(away, id, 'delivery_delayed');
    await away.run(resume, { transport: names[0] });
    await untilShown(away, id, 'sent');
    expect(got('waits@to.test')).toEqual([1, 0]);
  });

  it('keeps each recipient of a split email, and loses none', async () => {
    const split = await SmallHost.start(sinks[0], { ...OPTIONS, recipientsPerMessage: 1 }, undefined, [], settings());
    for (const transport of names) await split.run(pause, { transport, reason: 'Maintenance.' });
    const { id } = await split.run(send, 'one', ['s1@to.test', 's2@to.test', 's3@to.test']);
    const fences = async () => {
      const [row] = await split.query<{ kept: boolean; fence: number }>(
        "SELECT due_at = 'infinity' AS kept, fence FROM nestjs_emails.deliveries WHERE email_id = $1",
        [id],
      );
      return row;
    };
    await until(async () => (await fences())?.kept === true);
    // One lease and its end.
    expect((await fences())?.fence).toBe(2);
    await split.run(resume, { transport: names[1] });
    await untilShown(split, id, 'sent');
    expect(['s1', 's2', 's3'].map((name) => got(`${name}@to.test`))).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });
});

describe('the target of a pause', () => {
  it.each([
    [{ account: 'one', topic: TOPIC, reason: 'x' }, 'at most one of'],
    [{ account: '', reason: 'x' }, 'between 1 and 255'],
    [{ topic: 'news', reason: 'x' }, 'uuid of a topic'],
    [{ template: '', reason: 'x' }, 'id of a template'],
    [{ transport: 'a b', reason: 'x' }, 'name of a transport'],
    [{ reason: ' ' }, '`reason`'],
    [{ acount: 'one', reason: 'x' }, 'acount'],
  ])('%j is refused', async (wrong, why) => {
    await expect(host.run(pause, wrong as NewPause)).rejects.toThrow(why);
    expect(await host.run(pauses)).toEqual([]);
  });
});
