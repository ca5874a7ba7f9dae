import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmailsFeatureModule, emailsDatabase, PostgresAttachmentStorage, SmtpTransport } from 'nestjs-emails';
import { AccountsService, ApiKeyGuard, ApiKeyResolver, access } from 'nestjs-emails/access';
import { audience, ContactEraser, ContactTopicPolicy } from 'nestjs-emails/audience';
import { SuppressionList } from 'nestjs-emails/feedback';
import { PublishedTemplateSource, TemplateEraser, templates } from 'nestjs-emails/templates';
import {
  accountResolverContract,
  attachmentStorageContract,
  type ContractCase,
  connectingTransportContract,
  credentialsResolverContract,
  emailTransportContract,
  personEraserContract,
  suppressionListContract,
  templateSourceContract,
  topicPolicyContract,
} from 'nestjs-emails/testing';
import { DataSource } from 'typeorm';
import { Templates } from '../hosts/minimal/src/templates.js';
import { Topics } from '../hosts/minimal/src/topics.js';
import { afterFile } from '../support/basics/cleanup.js';
import { freePort } from '../support/basics/free-port.mjs';
import { contactsOf, templatesOf, topicsOf } from '../support/reading/services.js';
import { freshDatabase } from '../support/servers/postgres.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let dataSource: DataSource;

beforeAll(async () => {
  const { url } = await freshDatabase();
  const { entities } = emailsDatabase({ features: [access(), audience(), templates()] });
  dataSource = await new DataSource({ type: 'postgres', url, entities, installExtensions: false }).initialize();
  afterFile(() => dataSource.destroy());
});

/** Runs a suite like any test runner, and reports broken promises. */
async function keep(cases: readonly ContractCase[]): Promise<void> {
  expect(cases.length).toBeGreaterThan(0);
  for (const { name, run } of cases) {
    await run().catch((cause: Error) => {
      throw new Error(`${name}: ${cause.message}`, { cause });
    });
  }
}

describe('the own implementation keeps the contract of its port', () => {
  it.each(['opt_in', 'opt_out'] as const)('ContactTopicPolicy, of a topic with the default %s', async (byDefault) => {
    const accountId = randomUUID();
    const topics = topicsOf(dataSource);
    const contacts = contactsOf(dataSource);
    const topic = { name: 'News', description: null, default_subscription: byDefault };
    const { id } = await topics.create(accountId, topic);
    const choose = (email: string, subscription: 'opt_in' | 'opt_out', unsubscribed = false) =>
      contacts.create(accountId, { email, unsubscribed, topics: [{ id, subscription }] });
    await choose('in@to.test', 'opt_in');
    await choose('"Quoted"@to.test', 'opt_in');
    await choose('out@to.test', 'opt_out');
    await choose('left@to.test', 'opt_in', true);
    await contacts.create(accountId, { email: 'undecided@to.test' });
    const others = ['undecided@to.test', 'nobody@to.test'];
    const allowed = ['in@to.test', 'IN@to.test', 'quoted@to.test'];
    const refused = ['out@to.test', 'left@to.test'];
    await keep(
      topicPolicyContract(() => new ContactTopicPolicy(dataSource), {
        accountId,
        topicId: id,
        otherAccountId: randomUUID(),
        allowed: byDefault === 'opt_in' ? [...allowed, ...others] : allowed,
        refused: byDefault === 'opt_in' ? refused : [...refused, ...others],
      }),
    );
  });

  it('SuppressionList', async () => {
    const [accountId, otherAccountId] = [randomUUID(), randomUUID()];
    const suppress = (email: string, origin: string, reason: string | null, account = accountId) =>
      dataSource.query(
        `INSERT INTO nestjs_emails.suppressions (id, account_id, email_key, email, origin, reason)
         VALUES (gen_random_uuid(), $1, $2, $2, $3, $4)`,
        [account, email, origin, reason],
      );
    await suppress('gone@to.test', 'bounce', '550 5.1.1 Unknown');
    await suppress('angry@to.test', 'complaint', null);
    await suppress("o'hand@to.test", 'manual', null);
    await suppress('other@to.test', 'manual', null, otherAccountId);
    const noForms = { of: async () => [] };
    await keep(
      suppressionListContract(() => new SuppressionList(dataSource, noForms as never, {}), {
        accountId,
        otherAccountId,
        allowed: ['jane@to.test', 'other@to.test'],
        refused: ['gone@to.test', 'angry@to.test', "o'hand@to.test", '"gone"@to.test'],
      }),
    );
  });

  it('ContactEraser', async () => {
    const contacts = contactsOf(dataSource);
    await keep(
      personEraserContract(() => new ContactEraser(dataSource), {
        accountIds: [randomUUID(), randomUUID()],
        address: 'jane@person.test',
        keep: (accountId, email) => contacts.create(accountId, { email }),
        isKept: async (accountId, email) => (await contacts.find(accountId, email)) !== undefined,
      }),
    );
  });

  it('TemplateEraser', async () => {
    const templates = templatesOf(dataSource);
    const asSender = async (accountId: string, address: string, name: string) => {
      const { id } = await templates.create(accountId, {
        name,
        from: `Jane <${address}>`,
        reply_to: [address],
        text: 'Hello',
      });
      await templates.publish(accountId, id);
    };
    await keep(
      personEraserContract(() => new TemplateEraser(dataSource), {
        accountIds: [randomUUID(), randomUUID()],
        address: 'jane@person.test',
        keep: (accountId, address) => asSender(accountId, address, 'Letter'),
        isKept: async (accountId, address) =>
          (
            await dataSource.query(
              'SELECT FROM nestjs_emails.templates AS t WHERE account_id = $1 AND position($2 in t::text) > 0',
              [accountId, address],
            )
          ).length > 0,
      }),
    );
  });

  it('PublishedTemplateSource', async () => {
    const accountId = randomUUID();
    const templates = templatesOf(dataSource);
    const fields = {
      name: 'Welcome',
      alias: 'welcome',
      subject: 'Hi {{NAME}}',
      html: '<p>{{NAME}}</p>',
      sensitive: true,
    };
    const { id } = await templates.create(accountId, fields);
    await templates.create(accountId, { name: 'Draft', alias: 'constructor', text: 'not yet' });
    await templates.publish(accountId, id);
    await templates.update(accountId, id, { subject: 'Not yet' });
    const template = {
      id,
      from: null,
      subject: 'Hi {{NAME}}',
      replyTo: [],
      html: '<p>{{NAME}}</p>',
      text: null,
      variables: [],
      sensitive: true,
    };
    await keep(
      templateSourceContract(() => new PublishedTemplateSource(dataSource), {
        accountId,
        ids: [id, 'welcome'],
        template,
        otherAccountId: randomUUID(),
      }),
    );
  });

  it('PostgresAttachmentStorage', () =>
    keep(
      attachmentStorageContract(() => new PostgresAttachmentStorage(dataSource), {
        transact: (work) => dataSource.transaction(work),
      }),
    ));

  it('ApiKeyGuard with ApiKeyResolver', async () => {
    const { entities: _, ...options } = dataSource.options;
    const features = [access()];
    const { entities } = emailsDatabase({ features, core: false });
    const imports = [TypeOrmModule.forRoot({ ...options, entities }), EmailsFeatureModule.forRoot({ features })];
    const module = await Test.createTestingModule({ imports }).compile();
    afterFile(() => module.close());
    const { accountId, token } = await module.get(AccountsService).create('contract');
    const caller = { accountId, permission: 'full_access' } as const;

    const request = () => {
      const headers = { authorization: `Bearer ${token}` };
      return { headers, rawHeaders: [], socket: { remoteAddress: '192.0.2.1' } } as unknown as IncomingMessage;
    };
    const passed = async () => {
      const seen = request();
      const context = { switchToHttp: () => ({ getRequest: () => seen }) } as unknown as ExecutionContext;
      await module.get(ApiKeyGuard).canActivate(context);
      return seen;
    };
    const make = () => module.get(ApiKeyResolver);
    await keep(accountResolverContract(make, { request: passed, caller, unseen: request }));
    await keep(credentialsResolverContract(make, { credentials: { token }, caller, wrongTokens: [accountId] }));
  });

  it.each([true, false])('SmtpTransport, to a server with SMTPUTF8: %s', async (smtpUtf8) => {
    const sink = await SmtpSink.start({ smtpUtf8 });
    const envelope = { from: 'a@from.test', recipients: ['b@to.test', 'c@to.test'] };
    const make = () => new SmtpTransport({ url: sink.url });
    const nowhere = `smtp://127.0.0.1:${await freePort()}`;
    const makeUnreachable = () => new SmtpTransport({ url: nowhere });
    await keep(emailTransportContract(make, { ...envelope, hasTls: false, makeUnreachable }));
    await keep(connectingTransportContract(make, envelope));
    expect(sink.messages.length).toBeGreaterThan(10);
  });
});

describe("the implementation in the package's example keeps the contract of its port", () => {
  it('Templates', () => keep(templateSourceContract(() => new Templates(), { accountId: 'any', ids: ['welcome'] })));

  it('Topics', () => {
    const topicId = '0b7c3a52-6f0e-4a51-9d0c-2f3c1a5b7e11';
    const known = { accountId: 'any', topicId, allowed: ['jane@to.test'], refused: ['gone@example.com'] };
    return keep(topicPolicyContract(() => new Topics(), known));
  });
});
