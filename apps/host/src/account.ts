import 'reflect-metadata';
import { ApiError } from 'nestjs-emails';
import {
  AccountExistsError,
  AccountsService,
  ApiKeyEntity,
  ApiKeysRepository,
  ApiKeysService,
  type NewAccount,
} from 'nestjs-emails/access';
import { DataSource } from 'typeorm';
import { startProblem } from './bootstrap/start-problem.js';
import { withMigratedDatabase } from './bootstrap/with-migrated-database.js';
import { environmentSettings } from './config/environment.js';
import { dataSourceOptions } from './database/data-source-options.js';

const USAGE = 'Usage: npm run account -- create NAME\nNAME is one line of 1 to 100 characters.\n';

/** `npm run account -- create NAME`: one JSON line with the new account's id and its first key. */
const [command, name, ...surplus] = process.argv.slice(2);
if (command !== 'create' || !name || surplus.length > 0) {
  process.stderr.write(USAGE);
  process.exit(2);
}

try {
  const { accountId, token } = await withMigratedDatabase(environmentSettings(), (url) => create(url, name));
  process.stdout.write(`${JSON.stringify({ account: accountId, token })}\n`);
} catch (error) {
  const isNoName = error instanceof ApiError;
  process.stderr.write(isNoName ? USAGE : problem(error));
  process.exitCode = isNoName ? 2 : 1;
}

function problem(error: unknown): string {
  return error instanceof AccountExistsError ? `${error.message}\n` : startProblem(error);
}

async function create(url: string, account: string): Promise<NewAccount> {
  const dataSource = await new DataSource(dataSourceOptions(url)).initialize();
  try {
    const apiKeys = new ApiKeysService(new ApiKeysRepository(dataSource.getRepository(ApiKeyEntity)));
    const accounts = new AccountsService(dataSource, apiKeys);
    // `default` is created at the first start, which may not have happened yet.
    await accounts.ensureDefault();
    return await accounts.create(account);
  } finally {
    await dataSource.destroy();
  }
}
