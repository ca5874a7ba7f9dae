import { Inject, Injectable } from '@nestjs/common';
import { dkimSignatures } from '../dkim/dkim-signer.js';
import { SigningKeys } from '../signing-keys.js';

/** Tries whether the keys of a domain sign. */
@Injectable()
export class SigningCheck {
  constructor(@Inject(SigningKeys) private readonly keys: Pick<SigningKeys, 'of'>) {}

  /** True also for a domain without keys: it has no mail to sign. */
  async canSign(accountId: string, domain: string): Promise<boolean> {
    try {
      const keys = await this.keys.of(accountId, domain);
      await dkimSignatures({ header: '', bodyHash: '' }, { domain, keys });
      return true;
    } catch {
      return false;
    }
  }
}
