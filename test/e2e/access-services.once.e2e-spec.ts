import { randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmailsFeatureModule, emailsDatabase } from 'nestjs-emails';
import { AccountsService, ApiKeyResolver, ApiKeysService, access } from 'nestjs-emails/access';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterFile } from '../support/basics/cleanup.js';
import { freshDatabase } from '../support/servers/postgres.js';

let module: TestingModule;
let url: string;

beforeAll(async () => {
  ({ url } = await freshDatabase());
  const features = [access()];
  const database = { ...emailsDatabase({ features, core: false }), type: 'postgres', url } as const;
  const imports = [TypeOrmModule.forRoot(database), EmailsFeatureModule.forRoot({ features })];
  module = await Test.createTestingModule({ imports }).compile();
  afterFile(() => module.close());
});

const accounts = () => module.get(AccountsService);
const keys = () => module.get(ApiKeysService);
const callerOf = (token: string) => module.get(ApiKeyResolver).resolveCredentials({ token });
const refused = { statusCode: 401, name: 'invalid_api_key' };

it('a revoked key ends at once, and can be restored at once', async () => {
  const { accountId } = await accounts().create(randomUUID());
  const { id, token } = await keys().create(accountId, { name: 'mine' });
  await expect(callerOf(token)).resolves.toEqual({ accountId, permission: 'full_access', apiKeyId: id });
  await expect(keys().revoke(accountId, id)).resolves.toBe(true);
  await expect(callerOf(token)).rejects.toMatchObject(refused);
  await expect(keys().register(accountId, 'mine', token)).resolves.toBe(true);
  await expect(callerOf(token)).resolves.toMatchObject({ accountId });
});

it('a key joins a transaction of TypeORM or of another library', async () => {
  const { accountId } = await accounts().create(randomUUID());
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const runner = module.get(DataSource).createQueryRunner();
  for (const end of ['ROLLBACK', 'COMMIT']) {
    await client.query('BEGIN');
    await runner.startTransaction();
    const made: string[] = [];
    for (const transaction of [client, runner, runner.manager]) {
      const { token } = await keys().create(accountId, { name: end }, { transaction });
      await expect(callerOf(token)).rejects.toMatchObject(refused);
      made.push(token);
    }
    await client.query(end);
    await (end === 'COMMIT' ? runner.commitTransaction() : runner.rollbackTransaction());
    const { data } = await keys().list(accountId);
    expect(data.filter(({ name }) => name === end)).toHaveLength(end === 'COMMIT' ? made.length : 0);
  }
  for (const closed of [client, runner, runner.manager, module.get(DataSource)]) {
    const made = keys().create(accountId, { name: 'closed' }, { transaction: closed as never });
    await expect(made).rejects.toThrow('`transaction` is not open');
  }
  await runner.release();
  await client.end();
  await expect(keys().create(accountId, { name: 'closed' }, runner.manager as object)).rejects.toThrow(
    'ApiKeysService.create: Pass `{ transaction }`.',
  );
  await expect(keys().create(accountId, { name: 'closed' }, { transaction: {} as never })).rejects.toThrow(
    '`transaction` must be an EntityManager',
  );
  const { data } = await keys().list(accountId);
  expect(data.filter(({ name }) => name === 'closed')).toEqual([]);
});

it('removing an account removes its keys, and no others', async () => {
  const [gone, other] = [await accounts().create(randomUUID()), await accounts().create(randomUUID())];
  const { token } = await keys().create(gone.accountId, { name: 'another', permission: 'sending_access' });
  await Promise.all([gone.token, token, other.token].map(callerOf));
  await expect(accounts().remove(gone.accountId)).resolves.toBe(true);
  for (const key of [gone.token, token]) await expect(callerOf(key)).rejects.toMatchObject(refused);
  await expect(callerOf(other.token)).resolves.toMatchObject({ accountId: other.accountId });
  await expect(keys().list(gone.accountId)).resolves.toMatchObject({ data: [] });
  await expect(accounts().remove(gone.accountId)).resolves.toBe(false);
});

it('an account is removed with its keys whatever the letter case of its id', async () => {
  const { accountId, token } = await accounts().create(randomUUID());
  await expect(accounts().remove(accountId.toUpperCase())).resolves.toBe(true);
  await expect(callerOf(token)).rejects.toMatchObject(refused);
});

it('the keys of an account in another system are removed as well', async () => {
  const accountId = `shop ${'x'.repeat(250)}`;
  const { token } = await keys().create(accountId, { name: 'mine' });
  await expect(callerOf(token)).resolves.toMatchObject({ accountId });
  await expect(accounts().remove(accountId)).resolves.toBe(true);
  await expect(callerOf(token)).rejects.toMatchObject(refused);
});

it('the same name is free again', async () => {
  const name = randomUUID();
  const { accountId } = await accounts().create(name);
  await accounts().remove(accountId);
  expect((await accounts().create(name)).accountId).not.toBe(accountId);
});
