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

/** Without a queue and a mail server. */
const ALONE = { redisUrl: 'redis://127.0.0.1:1', smtpUrl: 'smtp://127.0.0.1:1' };
const MIGRATES = { dataSource: { migrationsRun: true } };

describe("the start of a stranger's host", () => {
  it('names every invalid option', async () => {
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

    await host.query(`
      DROP TABLE nestjs_emails.events; DROP TRIGGER number_at_commit ON nestjs_emails.emails;
      DROP INDEX nestjs_emails.event_outbox_turns`);
    expect(await host.refusal({ dataSource: {} })).toMatch(
      /lacks trigger emails\.number_at_commit, table events, index event_outbox\.event_outbox_turns in .*: EmailsCreate\d+\. .*delete their rows/,
    );
    await host.query("DELETE FROM migrations WHERE name LIKE 'EmailsCreate%'");
    await host.startWith(MIGRATES);

    await host.run(({ dataSource }) => dataSource.dropDatabase());
    const synchronized = { dataSource: { synchronize: true } };
    expect(await host.refusal(synchronized)).toMatch(/lacks (?=.*table emails\b)(?=.*table identity\b)/);
    await host.startWith({ dataSource: { dropSchema: true, migrationsRun: true } });
  });

  it('protects its tables from `synchronize`, and refuses `entityPrefix` with it', async () => {
    const database = await freshDatabase();
    await database.query("ALTER TABLE nestjs_emails.emails ADD surplus text DEFAULT 'kept'");
    const host = await SmallHost.start(sink, {}, database, [], { dataSource: { synchronize: true } });
    await post(host, 'to@to.test');
    expect(await host.query('SELECT surplus FROM nestjs_emails.emails')).toEqual([{ surplus: 'kept' }]);
    const prefixed = { synchronize: true, entityPrefix: 'shop_' };
    expect(await host.refusal({ dataSource: prefixed })).toContain(
      'nestjs-emails cannot use a data source with this `entityPrefix`',
    );
  });

  it('and its migrations refuse a schema of an earlier version', async () => {
    const host = await SmallHost.prepare(sink, {}, await freshDatabase());
    await host.query('CREATE INDEX deliveries_unindexed ON nestjs_emails.deliveries (email_id) WHERE seq IS NULL');
    const refusal = /The schema nestjs_emails was made by an earlier version, .* drop it, then run the migrations\./;
    expect(await host.refusal({ dataSource: {} })).toMatch(refusal);
    expect(await host.refusal(MIGRATES)).toMatch(refusal);
    await host.query('DROP SCHEMA nestjs_emails CASCADE');
    await host.startWith(MIGRATES);
  });

  it('needs the tables of a queue in PostgreSQL', async () => {
    const database = await freshDatabase();
    await database.query('DROP SCHEMA bullmq CASCADE');
    const host = await SmallHost.prepare(sink, {}, database);
    expect(await host.refusal({})).toContain("Run BullMQ's `runMigrations(client)` before the start.");
  });
});

describe('processors for manual registration', () => {
  const bull = { extraOptions: { manualRegistration: true } };

  it('end the start with a remedy, unless they are registered before it', async () => {
    const host = await SmallHost.prepare(sink, { delivery: { sweepInterval: 600_000 } }, undefined, [], { bull });
    expect(await host.refusal({})).toMatch(/no email would be sent\. Leave `manualRegistration` out .*register\(\)/);
    await host.startWith({ registers: true });
    const id = await post(host, 'to@to.test');
    await sink.waitFor(({ raw }) => raw.includes(`<${id}@`));
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
