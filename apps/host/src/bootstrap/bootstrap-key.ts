import { type AccountsService, type ApiKeysService, generateToken } from 'nestjs-emails/access';
import { StartError } from '../shared/errors/start.error.js';
import { readBootstrapKey, writeBootstrapKey } from './bootstrap-key-file.js';

/** Ensures that the operator has a full-access key of the account `default`. */
export class BootstrapKey {
  constructor(
    private readonly accounts: AccountsService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /**
   * Makes `BOOTSTRAP_API_KEY` a key. The operator's setting has priority: a revoked key becomes valid again.
   *
   * @throws StartError when another account has that key
   */
  async accept(token: string): Promise<void> {
    const accountId = await this.accounts.ensureDefault();
    if (!(await this.apiKeys.register(accountId, 'BOOTSTRAP_API_KEY', token))) {
      throw new StartError('BOOTSTRAP_API_KEY is a key of another account than `default`. Choose another one.');
    }
  }

  /**
   * The key in the data directory's file. It is generated if it is missing or was revoked, and imported into a database
   * that does not know it.
   *
   * @returns the token
   */
  async fromFile(dataDir: string): Promise<string> {
    const accountId = await this.accounts.ensureDefault();
    const known = readBootstrapKey(dataDir);
    const usable = known !== undefined && !(await this.apiKeys.isRevoked(known));
    const token = usable ? known : generateToken();
    if (!usable) {
      writeBootstrapKey(dataDir, token);
    }
    await this.apiKeys.register(accountId, 'kept in DATA_DIR', token);
    return token;
  }
}
