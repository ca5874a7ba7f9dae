import { Inject, Injectable, Optional } from '@nestjs/common';
import { DOMAIN_DIRECTORY, type DomainDirectory } from '../../index.js';
import type { IdentifiedKey } from '../../shared/callers/account-resolver.js';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { refuseBoundKey } from '../domains/refuse-bound-key.js';
import { FailedKeysService } from './failed-keys.service.js';
import { KeyLookupService } from './key-lookup.service.js';
import { KeyUsageService } from './key-usage.service.js';
import { orUnavailable } from './or-unavailable.js';
import { isToken } from './token.js';

/** Finds the caller of a token. Limits callers that guess tokens. */
@Injectable()
export class ApiKeyAuthenticator {
  constructor(
    private readonly lookup: KeyLookupService,
    private readonly usage: KeyUsageService,
    private readonly failedKeys: FailedKeysService,
    @Optional() @Inject(DOMAIN_DIRECTORY) private readonly directory?: DomainDirectory,
  ) {}

  /**
   * @param remoteAddress address under which failures are counted
   * @throws ApiError 401 without a valid key, 403 for one that is bound to a domain where there are none, 429 after too many of them, 503 when the database cannot be asked
   */
  async authenticate(token: string, remoteAddress: string | undefined): Promise<IdentifiedKey> {
    const key = isToken(token) ? await this.find(token, remoteAddress) : null;
    if (!key) return this.refuse(remoteAddress);
    refuseBoundKey(key, this.directory);
    this.usage.note(key.id);
    return key;
  }

  /** Caller of a key; undefined once it is revoked. @throws ApiError 503 when the database cannot be asked */
  async callerOf(keyId: string): Promise<Caller | undefined> {
    const key = await orUnavailable(this.lookup.findById(keyId));
    if (!key) return undefined;
    refuseBoundKey(key, this.directory);
    this.usage.note(key.id);
    return key.caller;
  }

  /** Malformed keys count, too. */
  async refuse(remoteAddress: string | undefined): Promise<never> {
    await this.failedKeys.count(remoteAddress);
    throw ApiError.invalidApiKey();
  }

  private find(token: string, remoteAddress: string | undefined): Promise<IdentifiedKey | null> {
    return orUnavailable(this.lookup.find(token, () => this.failedKeys.isHeldBack(remoteAddress)));
  }
}
