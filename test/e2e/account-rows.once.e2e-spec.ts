import { randomUUID } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmailsFeatureModule, emailsDatabase } from 'nestjs-emails';
import { AccountsService, ApiKeyResolver, ApiKeysService, access } from 'nestjs-emails/access';
import { audience, ContactTopicPolicy, TopicChoicesService } from 'nestjs-emails/audience';
import { PublishedTemplateSource, TemplatesService, templates } from 'nestjs-emails/templates';
import {
  DataSource,
  type DataSourceOptions,
  DefaultNamingStrategy,
  type EntitySubscriberInterface,
  type InsertEvent,
  type RemoveEvent,
  type UpdateEvent,
} from 'typeorm';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { apiKeysOf, contactsOf, templatesOf, topicsOf } from '../support/reading/services.js';
import { freshDatabase, type TestDatabase } from '../support/servers/postgres.js';

const { entities } = emailsDatabase({ features: [access(), audience(), templates()] });

let database: TestDatabase;
let dataSource: DataSource;
let account: string;

async function open(options: Partial<DataSourceOptions> = {}): Promise<DataSource> {
  const own = { type: 'postgres', url: database.url, entities, installExtensions: false, ...options };
  const opened = await new DataSource(own as DataSourceOptions).initialize();
  afterFile(() => opened.destroy());
  return opened;
}

beforeAll(async () => {
  database = await freshDatabase();
  dataSource = await open();
});

beforeEach(() => {
  account = randomUUID();
});

/** Runs a task that needs a row changed by an open transaction, and commits that once the task waits. */
async function behind<T>(sql: string, params: readonly unknown[], work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(sql, [...params]);
    const outcome = work();
    await until(
      async () =>
        (
          await database.query(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          )
        ).length > 0,
    );
    await runner.commitTransaction();
    return await outcome;
  } finally {
    await runner.release();
  }
}

describe('a template that loses its alias to another one during a wait for it', () => {
  const draft = (alias: string | null) => ({ name: 'x', alias, html: '<p>x</p>' });
  const MOVE = 'UPDATE nestjs_emails.templates SET alias = NULL WHERE id = $1';

  it.each<[string, (templates: TemplatesService) => Promise<unknown>]>([
    ['changed', (templates) => templates.update(account, 'live', { name: 'changed' })],
    ['published', (templates) => templates.publish(account, 'live')],
    ['deleted', (templates) => templates.remove(account, 'live')],
  ])('is not %s by it', async (_, work) => {
    const templates = templatesOf(dataSource);
    const { id } = await templates.create(account, draft('live'));
    const outcome = await behind(MOVE, [id], () => work(templates));
    expect(outcome).toBeUndefined();
    expect(await templates.find(account, id)).toMatchObject({ name: 'x', alias: null, status: 'draft' });
  });
});

describe('a writer of a row', () => {
  it('returns its own result, not that of a later change', async () => {
    const contacts = contactsOf(dataSource);
    const { id } = await contacts.create(account, { email: 'a@to.test' });
    const names = Array.from({ length: 20 }, (_, index) => `name ${index}`);
    const answers = await behind('SELECT FROM nestjs_emails.contacts WHERE id = $1 FOR UPDATE', [id], () =>
      Promise.all(names.map((first_name) => contacts.update(account, id, { first_name }))),
    );
    expect(answers.map((contact) => contact?.first_name)).toEqual(names);
  });

  it('returns the created row when that is deleted at once', async () => {
    await database.query(`
      CREATE FUNCTION vanish() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN EXECUTE format('DELETE FROM %I.%I WHERE id = $1', TG_TABLE_SCHEMA, TG_TABLE_NAME) USING NEW.id; RETURN NULL; END $$`);
    for (const table of ['topics', 'contacts', 'templates']) {
      await database.query(`
        CREATE CONSTRAINT TRIGGER zz_vanish AFTER INSERT ON nestjs_emails.${table} DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.account_id = '${account}') EXECUTE FUNCTION vanish()`);
    }
    const topic = { name: 'x', description: null, default_subscription: 'opt_in' } as const;
    expect(await topicsOf(dataSource).create(account, topic)).toMatchObject({ name: 'x' });
    expect(await contactsOf(dataSource).create(account, { email: 'a@to.test' })).toMatchObject({ email: 'a@to.test' });
    expect(await templatesOf(dataSource).create(account, { name: 'x' })).toMatchObject({ name: 'x' });
    expect((await contactsOf(dataSource).list(account, { limit: 10 })).data).toEqual([]);
  });
});

it('a page is one statement, so that it cannot mix two moments', async () => {
  const statements: string[] = [];
  const logging = await open({
    logging: ['query'],
    logger: { ...silent, logQuery: (sql) => void statements.push(sql) },
  });
  const contacts = contactsOf(logging);
  for (const email of ['a@to.test', 'b@to.test']) await contacts.create(account, { email });
  statements.length = 0;
  const { data, has_more } = await contacts.list(account, { limit: 1 });
  expect([data.map(({ email }) => email), has_more, statements.length]).toEqual([['b@to.test'], true, 1]);
});

const silent = {
  logQuery: () => {},
  logQueryError: () => {},
  logQuerySlow: () => {},
  logSchemaBuild: () => {},
  logMigration: () => {},
  log: () => {},
};

it('a data source with other table names is refused at the start', async () => {
  class Prefixed extends DefaultNamingStrategy {
    override tableName(target: string, given: string | undefined): string {
      return `app_${super.tableName(target, given)}`;
    }
  }
  const named = (namingStrategy: DefaultNamingStrategy) => ({
    imports: [
      TypeOrmModule.forRoot({
        type: 'postgres',
        url: database.url,
        entities,
        installExtensions: false,
        namingStrategy,
      }),
      EmailsFeatureModule.forRoot({ features: [audience()], role: 'worker' }),
    ],
  });
  await expect(Test.createTestingModule(named(new Prefixed())).compile()).rejects.toThrow('`namingStrategy`');
  const app = await Test.createTestingModule(named(new DefaultNamingStrategy())).compile();
  await app.close();
});

it('no subscriber of the host sees the rows', async () => {
  const told: string[] = [];
  class Curious implements EntitySubscriberInterface {
    beforeInsert(event: InsertEvent<unknown>) {
      told.push(`insert ${event.metadata.tableName}`);
    }
    beforeUpdate(event: UpdateEvent<unknown>) {
      told.push(`update ${event.metadata.tableName}`);
    }
    beforeRemove(event: RemoveEvent<unknown>) {
      told.push(`remove ${event.metadata.tableName}`);
    }
    afterLoad() {
      told.push('load');
    }
  }
  const watched = await open({ subscribers: [Curious] });
  watched.subscribers.push(new Curious());
  const contacts = contactsOf(watched);
  const topic = await topicsOf(watched).create(account, { name: 'x', default_subscription: 'opt_in' });
  const topics = [{ id: topic.id, subscription: 'opt_out' as const }];
  const { id } = await contacts.create(account, { email: 'a@to.test', topics });
  await contacts.update(account, id, { first_name: 'x' });
  await contacts.find(account, id);
  const template = await templatesOf(watched).create(account, { name: 'silent', html: 'x' });
  await templatesOf(watched).publish(account, template.id);
  await new PublishedTemplateSource(watched).find(account, template.id);
  await contacts.remove(account, id);
  const keys = apiKeysOf(watched);
  await keys.revoke(account, (await keys.create(account, { name: 'x' })).id);
  const accounts = new AccountsService(watched, keys);
  await accounts.remove((await accounts.create(randomUUID())).accountId);
  expect(told).toEqual([]);
});

describe('next to an empty replica', () => {
  it('everything is read from the primary', async () => {
    const replication = { master: { url: database.url }, slaves: [{ url: (await freshDatabase()).url }] };
    const replicated = await open({ replication } as Partial<DataSourceOptions>);
    const topics = topicsOf(replicated);
    const contacts = contactsOf(replicated);
    const choices = new TopicChoicesService(replicated, topics);
    const templates = templatesOf(replicated);

    const topic = await topics.create(account, { name: 'x', description: null, default_subscription: 'opt_in' });
    expect((await topics.list(account, { limit: 10 })).data).toEqual([topic]);
    expect(await topics.update(account, topic.id, {})).toEqual(topic);
    const contact = await contacts.create(account, {
      email: 'a@to.test',
      topics: [{ id: topic.id, subscription: 'opt_out' }],
    });
    expect(await contacts.find(account, 'a@to.test')).toEqual(contact);
    expect((await choices.list(account, contact.id, { limit: 10 })).data).toMatchObject([{ subscription: 'opt_out' }]);
    const policy = new ContactTopicPolicy(replicated);
    expect(await policy.exists(account, topic.id)).toBe(true);
    expect(await policy.decide(account, topic.id, ['a@to.test'])).toMatchObject([{ allowed: false }]);

    const template = await templates.create(account, { name: 'x', html: '<p>x</p>' });
    await templates.publish(account, template.id);
    expect(await new PublishedTemplateSource(replicated).find(account, template.id)).toMatchObject({
      html: '<p>x</p>',
    });

    const app = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ type: 'postgres', replication, entities, installExtensions: false } as never),
        EmailsFeatureModule.forRoot({ features: [access()], role: 'worker' }),
      ],
    }).compile();
    afterFile(() => app.close());
    const { accountId, token } = await app.get(AccountsService).create(randomUUID());
    expect(await app.get(AccountsService).ensureDefault()).toEqual(expect.any(String));
    expect(await app.get(ApiKeyResolver).resolveCredentials({ token })).toMatchObject({ accountId });
    const keys = app.get(ApiKeysService);
    const [key] = (await keys.list(accountId, { limit: 10 })).data;
    expect(await keys.revoke(accountId, key?.id ?? '')).toBe(true);
    expect(await keys.isRevoked(token)).toBe(true);
  });
});
