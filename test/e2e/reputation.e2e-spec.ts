import { eventually, until } from '../support/basics/wait-for.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;
let host: SmallHost;

/** Recipients that were sent to before, as the counts of events have them. */
const sentBefore = (count: number) =>
  host.query(
    `INSERT INTO nestjs_emails.event_counts (account_id, slot, domain, kind, count)
     VALUES ('one', date_bin('15 minutes', now(), '2000-01-01Z'), 'from.test', 'sent', $1)`,
    [count],
  );

/** Sends to new mailboxes, of which the first ones do not exist. */
let sent = 0;
async function send(recipients: number, bounces: number): Promise<string> {
  const mailbox = ++sent;
  sink.onRcpt = (address) => (address.startsWith('gone') ? '550 5.1.1 No such user' : undefined);
  const to = Array.from(
    { length: recipients },
    (_, at) => `${at < bounces ? 'gone' : 'there'}-${mailbox}-${at}@to.test`,
  );
  return post(host, to);
}

const release = () => host.run(({ emails }: HostTools) => emails.release('one'));
const holds = () => host.run(({ emails }: HostTools) => emails.holds());

interface Row {
  level: string | null;
  said: string | null;
}
const row = async () =>
  (await host.query<Row>("SELECT level, said FROM nestjs_emails.reputations WHERE account_id = 'one'"))[0];
const untilSaid = (level: string | null) =>
  eventually(async () => expect(await row()).toMatchObject({ level, said: level }));
/** Waits until nothing is left to count. */
const untilCounted = (bounces: number) =>
  eventually(async () => {
    const [found] = await host.query<{ count: number }>(
      `SELECT coalesce(sum((bucket->>1)::integer), 0)::integer AS count
       FROM nestjs_emails.reputations, jsonb_array_elements(buckets) AS bucket WHERE account_id = 'one' AND NOT is_due`,
    );
    expect(found?.count).toBe(bounces);
  });
const alarms = () => host.output.split('\n').filter((line) => line.includes('has many bounces or complaints'));

/** As if a minute had passed since the last look. */
const lookAgain = async (was = "interval '2 minutes'") => {
  await host.query(`UPDATE nestjs_emails.reputations SET checked_at = now() - ${was}`);
  await send(1, 1);
};

async function start(feedback: object): Promise<void> {
  sink = await SmtpSink.start();
  const options = { delivery: { retrySchedule: [100], sweepInterval: 500 }, secretKeys: ['s'.repeat(32)] };
  host = await SmallHost.start(sink, options, undefined, [], { feedback });
}

describe(`an account with bounces, queue on ${queueKind()}`, () => {
  beforeAll(() => start({}));

  it('is judged from 500 recipients on', async () => {
    await untilShown(host, await send(40, 30), 'bounced');
    await untilCounted(30);
    expect(await row()).toEqual({ level: null, said: null });
  });

  it('leads to one alarm at 2 %, without an address, and goes on sending', async () => {
    await sentBefore(470);
    await send(1, 1);
    await untilSaid('warn');
    await send(5, 5);
    await untilCounted(36);
    expect(alarms()).toEqual([
      expect.stringMatching(/Account one has many .* Of its last 5\d\d recipients [56]\.\d\d % /),
    ]);
    expect(host.output).not.toContain('@to.test');
    expect(await holds()).toEqual([]);
  });

  it('begins its count after a restart where it was', async () => {
    await host.kill();
    await host.start();
    await send(2, 2);
    await untilCounted(38);
    expect(alarms()).toHaveLength(1);
  });

  it('ends the alarm after an hour with good rates', async () => {
    await sentBefore(50_000);
    await lookAgain();
    await untilCounted(1);
    expect(await row()).toEqual({ level: 'warn', said: 'warn' });
    await host.query("UPDATE nestjs_emails.reputations SET bad_at = now() - interval '61 minutes'");
    await lookAgain();
    await untilSaid(null);
  });
});

describe('an account with complaints and `hold`', () => {
  beforeAll(() => start({ onReputation: 'hold' }));

  const complain = async (email: string, recipient: string) =>
    host.run(
      ({ emails }, emailId, recipient) => emails.report({ emailId, recipient, kind: 'complained', source: 'feedback' }),
      email,
      recipient,
    );

  it('is held at 0.3 %: its emails are accepted and kept, until it is released', async () => {
    await sentBefore(990);
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => post(host, `${name}@to.test`)));
    for (const id of ids) await untilShown(host, id, 'sent');
    for (const [at, id] of ids.entries()) await complain(id, `${'abc'[at]}@to.test`);
    await untilSaid('hold');
    expect(await holds()).toEqual([
      { accountId: 'one', since: expect.any(String), reason: expect.stringMatching(/0\.\d\d % complained\.$/) },
    ]);
    const kept = await post(host, 'kept@to.test');
    await until(
      async () =>
        (await host.query("SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 AND due_at = 'infinity'", [kept]))
          .length === 1,
    );
    await release();
    await untilShown(host, kept, 'sent');
  });

  it('is judged again from 0 on after its release', async () => {
    await lookAgain();
    await untilSaid(null);
    await untilShown(host, await send(40, 30), 'bounced');
    await untilCounted(30);
    expect(await holds()).toEqual([]);
    await sentBefore(460);
    await send(1, 1);
    await untilSaid('hold');
    await release();
  });

  it('keeps the words of a hold by hand', async () => {
    await lookAgain();
    await untilSaid(null);
    for (const _ of [1, 2]) await untilShown(host, await send(50, 25), 'bounced');
    await untilCounted(50);
    await host.run(({ emails }: HostTools) => emails.hold('one', 'By hand.'));
    await sentBefore(900);
    await host.query("UPDATE nestjs_emails.reputations SET is_due = true WHERE account_id = 'one'");
    await host.kill();
    await host.start();
    await untilSaid('hold');
    expect(await holds()).toMatchObject([{ accountId: 'one', reason: 'By hand.' }]);
    await release();
  });

  it('is held by the next process if one dies before it does', async () => {
    await host.kill();
    await host.query("UPDATE nestjs_emails.reputations SET level = 'hold', said = NULL, checked_at = '-infinity'");
    await host.start();
    await untilSaid('hold');
    expect(await holds()).toHaveLength(1);
  });
});
