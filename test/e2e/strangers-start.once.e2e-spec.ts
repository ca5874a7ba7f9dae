import { until } from '../support/basics/wait-for.js';
import { SmallHost } from '../support/hosts/small-host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { emptyDatabase, freshDatabase } from '../support/servers/postgres.js';
import { freshRedisDatabase } from '../support/servers/redis.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
});

/** Neither a queue nor a mail server is there. */
const ALONE = { redisUrl: 'redis://127.0.0.1:1', smtpUrl: 'smtp://127.0.0.1:1' };
const MIGRATES = { dataSource: { migrationsRun: true } };

describe("the start of a stranger's host", () => {
  it('names every option that is wrong', async () => {
    const options = { delivery: { lease: '8s', concurency: 5 }, queueShards: 0, guards: [], isGlobal: 'yes' };
    const host = await SmallHost.prepare(sink, options);
    expect(await host.refusal({})).toMatch(
      /EmailsModule: (?=.*`delivery\.lease` must)(?=.*`delivery\.concurrency`\?)(?=.*`queueShards` must)(?=.*guards)(?=.*`isGlobal`)/,
    );
  });

  it('needs a whole schema of this version, but neither a queue nor a mail server', async () => {
    const host = await SmallHost.prepare(sink, {}, await emptyDatabase(), [], ALONE);
    await host.startWith(MIGRATES);
    await until(() => /The queue cannot be reached/.test(host.output));
    await until(() => /Emails cannot be given to 127\.0\.0\.1:1 now: ECONNREFUSED/.test(host.output));
    await post(host, 'to@to.test');

    await host.run(({ dataSource }) => dataSource.undoLastMigration());
    await host.query('DROP TABLE nestjs_emails.events; DROP TRIGGER number_at_commit ON nestjs_emails.emails');
    expect(await host.refusal({ dataSource: {} })).toMatch(
      /lacks table events, trigger emails\.number_at_commit, index event_outbox\.event_outbox_turns in .*: CreateEmails\d+, NumberAtCommit\d+, ExpandCounts\d+, ExpandOutbox\d+, ExpandTurns\d+\. .*delete their rows/,
    );
    await host.query("DELETE FROM migrations WHERE name ~ '^(CreateEmails|NumberAtCommit|ExpandCounts|ExpandOutbox)'");
    await host.startWith(MIGRATES);

    await host.run(({ dataSource }) => dataSource.dropDatabase());
    const synchronized = { dataSource: { synchronize: true } };
    expect(await host.refusal(synchronized)).toMatch(/lacks trigger emails\.number_at_commit, table identity/);
    await host.startWith({ dataSource: { dropSchema: true, migrationsRun: true } });
  });

  it('needs the tables of a queue that is in PostgreSQL', async () => {
    const database = await freshDatabase();
    await database.query('DROP SCHEMA bullmq CASCADE');
    const host = await SmallHost.prepare(sink, {}, database);
    expect(await host.refusal({})).toContain("Run BullMQ's `runMigrations(client)` before the start.");
  });
});

it("two applications on one Redis do not take each other's jobs", async () => {
  const [ours, theirs, redisUrl] = [await freshDatabase(), await freshDatabase(), await freshRedisDatabase()];
  // The databases of tests are copies of one.
  await theirs.query('UPDATE nestjs_emails.identity SET id = gen_random_uuid()');
  const options = { delivery: { sweepInterval: 600_000 } };
  const hosts = [
    await SmallHost.start(sink, options, ours, [], { redisUrl }),
    await SmallHost.start(sink, options, theirs, [], { redisUrl }),
  ];
  const sent = await Promise.all(
    hosts.flatMap((host) => Array.from({ length: 10 }, async () => ({ host, id: await post(host, 'to@to.test') }))),
  );
  for (const { host, id } of sent) await untilShown(host, id, 'sent');
});
