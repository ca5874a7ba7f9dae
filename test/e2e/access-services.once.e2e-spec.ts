import { randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule, AccountsService, ApiKeyResolver, ApiKeysService, accessEntities } from 'nestjs-emails/access';
import { afterFile } from '../support/basics/cleanup.js';
import { freshDatabase } from '../support/servers/postgres.js';

let module: TestingModule;

beforeAll(async () => {
  const { url } = await freshDatabase();
  const database = { type: 'postgres', url, entities: accessEntities, installExtensions: false } as const;
  const imports = [TypeOrmModule.forRoot(database), AccessModule.forRoot()];
  module = await Test.createTestingModule({ imports }).compile();
  afterFile(() => module.close());
});

const accounts = () => module.get(AccountsService);
const keys = () => module.get(ApiKeysService);
const callerOf = (token: string) => module.get(ApiKeyResolver).resolveCredentials({ token });
const refused = { statusCode: 401, name: 'invalid_api_key' };

it('a key that is revoked ends at once, and comes back at once', async () => {
  const { accountId } = await accounts().create(randomUUID());
  const { id, token } = await keys().create(accountId, { name: 'mine' });
  await expect(callerOf(token)).resolves.toEqual({ accountId, permission: 'full_access' });
  await expect(keys().revoke(accountId, id)).resolves.toBe(true);
  await expect(callerOf(token)).rejects.toMatchObject(refused);
  await expect(keys().register(accountId, 'mine', token)).resolves.toBe(true);
  await expect(callerOf(token)).resolves.toMatchObject({ accountId });
});

it('an account that is removed takes its keys with it, and no others', async () => {
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

it('the keys of an account that is kept elsewhere are removed as well', async () => {
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
