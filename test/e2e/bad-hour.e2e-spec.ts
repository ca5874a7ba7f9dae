import pg from 'pg';
import { eventually, until } from '../support/basics/wait-for.js';
import { startFeedbackHost } from '../support/hosts/feedback-host.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Words of Gmail for an unknown user. */
const UNKNOWN =
  '550 5.1.1 The email account that you tried to reach does not exist. https://support.google.com/mail/?p=NoSuchUser - gsmtp';

let sink: SmtpSink;
let host: SmallHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startFeedbackHost(sink);
});

beforeEach(() => {
  sink.reset();
  sink.onRcpt = (address) => (address.startsWith('gone') ? UNKNOWN : undefined);
});

const gone = (name: string, count: number, domain = 'gmail.com') =>
  Array.from({ length: count }, (_, at) => `gone-${name}-${at}@${domain}`);
const rows = async (table: string, condition: string) =>
  (
    await host.query<{ email: string }>(
      `SELECT email FROM nestjs_emails.${table} WHERE operator = 'gmail' AND email LIKE $1 ORDER BY email`,
      [condition],
    )
  ).map(({ email }) => email);
const entries = (name: string) => rows('suppressions', `gone-${name}-%`);
const candidates = (name: string) => rows('suppression_candidates', `gone-${name}-%`);
/** When those named `late` were refused. */
const timesOf = async (table: string) =>
  host.query<{ time: string }>(
    `SELECT email, created_at::text AS time FROM nestjs_emails.${table} WHERE email LIKE 'gone-late-%' ORDER BY email`,
  );
const toldOf = async (name: string) =>
  (
    await host.run(
      async (_, start) => (globalThis.told ?? []).filter(({ data }) => data.email.startsWith(start)),
      `gone-${name}-`,
    )
  ).map(({ type }) => type);
const alarms = () => host.output.split('\n').filter((line) => line.includes('gmail refuses unusually many addresses'));
/** Those that count against the account. */
const bounces = async () =>
  (
    await host.query<{ count: number }>(
      `SELECT new_bounces + coalesce((SELECT sum((bucket->>1)::integer) FROM jsonb_array_elements(buckets) AS bucket), 0)
         ::integer AS count FROM nestjs_emails.reputations WHERE account_id = 'one'`,
    )
  )[0]?.count ?? 0;
const hold = async () =>
  (await host.query<{ said: boolean }>("SELECT said FROM nestjs_emails.operator_holds WHERE operator = 'gmail'"))[0];
/** Looks at once instead of within a minute. */
const restart = async () => {
  await host.kill();
  await host.query("UPDATE nestjs_emails.operator_holds SET claimed_until = '-infinity'");
  await host.start();
};
const undo = async (dry_run: boolean) => {
  const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 60_000)].map((time) =>
    time.toISOString(),
  );
  const { status, body } = await host.request<{ removed: number; data: { email: string }[] }>(
    'POST',
    '/suppressions/undo',
    { body: { operator: 'gmail', from, to, dry_run } },
  );
  expect(status).toBe(200);
  return body;
};

/** Waits until a statement with these words waits for a lock. */
const untilLocked = (words: string) =>
  until(async () => {
    const [row] = await host.query<{ waits: boolean }>(
      `SELECT count(*) > 0 AS waits FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE $1 AND wait_event_type = 'Lock'`,
      [`%${words}%`],
    );
    return row?.waits;
  });

/** Does something with a further connection to the database. */
async function withStranger(work: (stranger: pg.Client) => Promise<void>): Promise<void> {
  const stranger = new pg.Client(host.databaseUrl);
  await stranger.connect();
  try {
    await work(stranger);
  } finally {
    await stranger.end();
  }
}

/** Makes candidates of two addresses, to which emails are delivered then. The second is refused again. */
async function refuseAndDeliver(): Promise<void> {
  const to = gone('back', 2);
  await post(host, to);
  await eventually(async () => expect(await candidates('back')).toEqual(to));
  const { onRcpt } = sink;
  sink.reset();
  for (const recipient of to) {
    const emailId = await post(host, recipient);
    await untilShown(host, emailId, 'sent');
    const told = await host.run(
      ({ emails }, id, address) =>
        emails.report({ emailId: id, recipient: address, kind: 'delivered', source: 'relay' }),
      emailId,
      recipient,
    );
    expect(told).toBe('recorded');
  }
  sink.onRcpt = onRcpt as never;
  const again = await post(host, to[1] as string);
  await eventually(async () =>
    expect(
      await host.query('SELECT email FROM nestjs_emails.suppression_candidates WHERE source_id = $1', [again]),
    ).toEqual([{ email: to[1] }]),
  );
}

describe(`the bad hour of an operator, queue on ${queueKind()}`, () => {
  it('does not begin with 49 refusals: they are entries', async () => {
    await post(host, gone('first', 49));
    await eventually(async () => expect(await entries('first')).toHaveLength(49));
    expect(await candidates('first')).toEqual([]);
    expect(await hold()).toBeUndefined();
  });

  it('does not begin with further addresses of one mailbox, which counts once in ten minutes', async () => {
    const refuse = async (...details: number[]) => {
      for (const detail of details) await post(host, `gone-.first-0+${detail}@gmail.com`);
      const count = details.at(-1);
      await eventually(async () => expect(await rows('suppressions', 'gone-.first-0+%')).toHaveLength(count ?? 0));
      return host.query(
        "SELECT sum(refusals)::integer AS refusals FROM nestjs_emails.operator_counts WHERE operator = 'gmail'",
      );
    };
    const once = await refuse(1);
    expect(await refuse(2, 3)).toEqual(once);
    expect(await hold()).toBeUndefined();
  });

  it('begins with the fiftieth: entries of the last ten minutes become candidates, with their event', async () => {
    await host.query(
      "UPDATE nestjs_emails.suppressions SET created_at = now() - interval '11 minutes' WHERE email = $1",
      ['gone-first-0@gmail.com'],
    );
    await post(host, gone('second', 1));
    await until(async () => (await hold())?.said);
    expect(await entries('first')).toEqual(['gone-first-0@gmail.com']);
    await eventually(async () => expect(await candidates('first')).toHaveLength(48));
    expect(await candidates('second')).toHaveLength(1);
    await eventually(async () => {
      const told = await toldOf('first');
      expect(told.filter((type) => type === 'suppression.added')).toHaveLength(49);
      expect(told.filter((type) => type === 'suppression.removed')).toHaveLength(48);
    });
    expect(alarms()).toHaveLength(1);
    expect(host.output).not.toContain('@gmail.com');
  });

  it('makes candidates of further refusals, to which mail is sent, and spares other operators', async () => {
    await post(host, gone('third', 2));
    await eventually(async () => expect(await candidates('third')).toHaveLength(2));
    expect(await toldOf('third')).toEqual([]);
    sink.onRcpt = undefined as never;
    sink.reset();
    const id = await post(host, 'gone-third-0@gmail.com');
    await untilShown(host, id, 'sent');
    sink.onRcpt = () => '550 5.1.1 User unknown';
    const other = await post(host, 'gone-nobody-0@to.test');
    await untilShown(host, other, 'bounced');
    await until(async () => (await host.request('GET', '/suppressions/gone-nobody-0@to.test')).status === 200);
    expect((await host.request('GET', '/suppressions/gone-third-0@gmail.com')).status).toBe(404);
  });

  it('does not count against the account', async () => {
    // The entry of 11 minutes before it began, and one at another operator. Those it took off count no more.
    expect(await bounces()).toBe(2);
    await post(host, gone('spared', 3));
    await eventually(async () => expect(await candidates('spared')).toHaveLength(3));
    expect(await bounces()).toBe(2);
  });

  it('counts against the account after six hours, each address once', async () => {
    await host.query(
      `UPDATE nestjs_emails.suppression_candidates SET created_at = now() - interval '6 hours 1 minute'
       WHERE email LIKE 'gone-spared-%'`,
    );
    for (const _ of [1, 2]) {
      await restart();
      await eventually(async () => expect(await bounces()).toBe(5));
    }
    expect(await candidates('spared')).toHaveLength(3);
    await host.query(
      "UPDATE nestjs_emails.suppression_candidates SET created_at = now() WHERE email LIKE 'gone-spared-%'",
    );
  });

  it('keeps nothing of an erased person among the candidates', async () => {
    const { body } = await host.request<{ id: string }>('POST', '/erasures', {
      body: { email: 'gone-third-1@gmail.com' },
    });
    await until(async () => {
      const erasure = await host.request<{ status: string }>('GET', `/erasures/${body.id}`);
      return erasure.body.status === 'finished';
    });
    expect(await candidates('third')).toEqual(['gone-third-0@gmail.com']);
  });

  it('keeps nothing of an erased person whose entry it takes off meanwhile', async () => {
    const address = 'gone-meanwhile-0@gmail.com';
    await withStranger(async (stranger) => {
      await host.query(
        `INSERT INTO nestjs_emails.suppressions (id, account_id, email_key, email, origin, operator, reason)
         VALUES (gen_random_uuid(), 'one', $1, $1, 'bounce', 'gmail', '550 ' || $1)`,
        [address],
      );
      // As the bad hour does.
      await stranger.query('BEGIN');
      await stranger.query(
        `WITH taken AS (DELETE FROM nestjs_emails.suppressions WHERE email_key = $1 RETURNING *)
         INSERT INTO nestjs_emails.suppression_candidates (id, account_id, email_key, email, reason, operator, created_at)
         SELECT id, account_id, email_key, email, reason, operator, created_at FROM taken`,
        [address],
      );
      const { body } = await host.request<{ id: string }>('POST', '/erasures', { body: { email: address } });
      await untilLocked('UPDATE nestjs_emails.suppressions SET email = NULL');
      await stranger.query('COMMIT');
      await until(async () => {
        const erasure = await host.request<{ status: string }>('GET', `/erasures/${body.id}`);
        return erasure.body.status === 'finished';
      });
    });
    expect([await candidates('meanwhile'), await entries('meanwhile')]).toEqual([[], []]);
  });

  it('is taken back by undo, candidates and entries alike', async () => {
    const dry = await undo(true);
    // 48 + 3 + 1 + 1 + 3 candidates, and the entry of 11 minutes ago.
    expect(dry.removed).toBe(57);
    expect(await undo(false)).toEqual(dry);
    expect(dry.data).toHaveLength(57);
    for (const name of ['first', 'second', 'third', 'spared']) {
      expect([await candidates(name), await entries(name)]).toEqual([[], []]);
    }
    expect(await undo(false)).toEqual({ removed: 0, data: [] });
  });

  it('ends after an hour below the limit: candidates become entries', async () => {
    await post(host, gone('late', 3));
    await eventually(async () => expect(await candidates('late')).toHaveLength(3));
    const refusedAt = await timesOf('suppression_candidates');
    const before = await bounces();
    await restart();
    expect(await hold()).toEqual({ said: true });
    await refuseAndDeliver();
    // An hour later.
    await host.query("UPDATE nestjs_emails.operator_counts SET slot = slot - interval '1 hour'");
    await host.query("UPDATE nestjs_emails.operator_holds SET bad_at = now() - interval '61 minutes'");
    await restart();
    await until(async () => (await hold()) === undefined);
    expect(await candidates('late')).toEqual([]);
    expect(await entries('late')).toHaveLength(3);
    expect(await entries('back')).toEqual(['gone-back-1@gmail.com']);
    expect(await candidates('back')).toEqual([]);
    expect(await bounces()).toBe(before + 4);
    // `POST /suppressions/undo` finds them by the time of their refusals.
    expect(await timesOf('suppressions')).toEqual(refusedAt);
    await eventually(async () => expect(await toldOf('late')).toEqual(Array(3).fill('suppression.added')));
    const id = await post(host, 'gone-late-0@gmail.com');
    await untilShown(host, id, 'suppressed');
    expect(await eventTypes(host, id)).toEqual(['queued', 'suppressed']);
  });

  it('takes nothing off in a process that sees its end too late', async () => {
    const before = alarms().length;
    await withStranger(async (stranger) => {
      await stranger.query("INSERT INTO nestjs_emails.operator_holds (operator, limit_rate) VALUES ('gmail', 1)");
      await stranger.query('BEGIN; LOCK TABLE nestjs_emails.suppressions IN SHARE MODE');
      await restart();
      await untilLocked('INSERT INTO nestjs_emails.suppression_candidates');
      // Meanwhile another process ends it.
      await stranger.query("DELETE FROM nestjs_emails.operator_holds WHERE operator = 'gmail'; COMMIT");
    });
    // It goes on with what it found.
    await until(() => alarms().length === before + 1);
    expect([await candidates('late'), await hold()]).toEqual([[], undefined]);
    expect(await entries('late')).toHaveLength(3);
    expect((await host.request('GET', '/suppressions/gone-late-0@gmail.com')).status).toBe(200);
  });

  it('is judged by the rate of the last week once there is one', async () => {
    // 1 of 10 recipients is refused at any time.
    await host.query(
      `INSERT INTO nestjs_emails.operator_counts (operator, slot, recipients, refusals, own_refusals)
       SELECT 'gmail', date_bin('2 minutes', now(), '2000-01-01Z') - hours * interval '1 hour', 100, 10, 10
       FROM generate_series(2, 170) AS hours ON CONFLICT DO NOTHING`,
    );
    const good = Array.from({ length: 50 }, (_, at) => `there-${at}@gmail.com`);
    await post(host, good);
    await post(host, good);
    await post(host, gone('usual', 50));
    await eventually(async () => expect(await entries('usual')).toHaveLength(50));
    // 50 of 150 are below half of them.
    await until(async () => {
      const [row] = await host.query<{ count: number }>(
        `SELECT sum(recipients)::integer AS count FROM nestjs_emails.operator_counts
         WHERE operator = 'gmail' AND slot > now() - interval '10 minutes'`,
      );
      return row?.count === 150;
    });
    await restart();
    await until(async () => (await host.request('GET', '/emails?limit=1')).status === 200);
    expect(await hold()).toBeUndefined();
    await post(host, gone('unusual', 50));
    await post(host, gone('unusual-too', 50));
    await until(async () => (await hold())?.said);
    await eventually(async () => expect(await candidates('usual')).toHaveLength(50));
  });
});

describe('the bad hour of an operator, with `hold`', () => {
  /** Starts a host whose account has sent to so many. */
  const startAfter = async (recipients: number) => {
    host = await SmallHost.start(
      sink,
      { delivery: { retrySchedule: [100], sweepInterval: 500 }, secretKeys: ['s'.repeat(32)] },
      undefined,
      [],
      { feedback: { onReputation: 'hold' } },
    );
    await host.query(
      `INSERT INTO nestjs_emails.event_counts (account_id, slot, domain, kind, count)
       VALUES ('one', date_bin('15 minutes', now(), '2000-01-01Z'), 'from.test', 'sent', $1)`,
      [recipients],
    );
  };
  const untilSaid = (level: string) =>
    until(async () => {
      const [row] = await host.query<{ said: string }>(
        "SELECT said FROM nestjs_emails.reputations WHERE account_id = 'one'",
      );
      return row?.said === level;
    });

  it('does not hold a small account while it may be at its begin', async () => {
    await startAfter(570);
    await post(host, gone('few', 30));
    await untilSaid('warn');
    expect(await host.run(({ emails }: HostTools) => emails.holds())).toEqual([]);
    // Ten minutes later there was none.
    await host.kill();
    await host.query("UPDATE nestjs_emails.operator_counts SET slot = slot - interval '10 minutes'");
    await host.query("UPDATE nestjs_emails.reputations SET checked_at = now() - interval '10 minutes'");
    await host.start();
    await untilSaid('hold');
    expect(await host.run(({ emails }: HostTools) => emails.holds())).toMatchObject([{ accountId: 'one' }]);
  });

  it('is not begun by the bad list of one account, which is held, while others are well there', async () => {
    await startAfter(600);
    for (const table of ['operator_counts (', 'operator_account_counts (account_id, '])
      await host.query(
        `INSERT INTO nestjs_emails.${table}operator, slot, recipients, refusals, own_refusals)
         SELECT ${table.includes('account') ? "'two', " : ''}'gmail', date_bin('2 minutes', now(), '2000-01-01Z'), 60, 1, 1
         ON CONFLICT DO NOTHING`,
      );
    for (const name of ['bad', 'worse']) await post(host, gone(name, 45));
    await untilSaid('hold');
    expect(await hold()).toBeUndefined();
    expect([await candidates('bad'), await candidates('worse')]).toEqual([[], []]);
    expect(await entries('bad')).toHaveLength(45);
    expect(await host.run(({ emails }: HostTools) => emails.holds())).toMatchObject([{ accountId: 'one' }]);
  });

  it('does not hold the account that got 5 % refused before it began', async () => {
    await startAfter(950);
    await post(host, gone('first', 50));
    await until(async () => (await hold())?.said);
    expect(await candidates('first')).toHaveLength(50);
    const counts = () =>
      host.query("SELECT buckets, level FROM nestjs_emails.reputations WHERE account_id = 'one' AND NOT is_due");
    await eventually(async () => expect(await counts()).toEqual([{ buckets: [], level: null }]));
    expect(await host.run(({ emails }: HostTools) => emails.holds())).toEqual([]);
  });
});
