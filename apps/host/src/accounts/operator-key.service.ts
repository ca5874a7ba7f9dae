import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { generateToken } from '../api-keys/token.js';
import { StartError } from '../bootstrap/start.error.js';
import { AccountsService } from './accounts.service.js';
import { keepKey, keptKey } from './kept-key.js';

/** Sees to it that the operator has a full-access key of the account `default`. */
@Injectable()
export class OperatorKeyService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /**
   * Makes `BOOTSTRAP_API_KEY` a key. The operator's word counts: a key that was revoked meanwhile works again.
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
   * The key kept in the data directory. One is made when there is none or when it was revoked, and made known to a
   * database that has never seen it.
   *
   * @returns the token
   */
  async keep(dataDir: string): Promise<string> {
    const accountId = await this.accounts.ensureDefault();
    const kept = keptKey(dataDir);
    const usable = kept !== undefined && !(await this.apiKeys.isRevoked(kept));
    const token = usable ? kept : generateToken();
    if (!usable) {
      keepKey(dataDir, token);
    }
    await this.apiKeys.register(accountId, 'kept in DATA_DIR', token);
    return token;
  }
}
