import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { SigningKey, SigningKeys } from '../signing/signing-keys.js';
import { KnownDomains } from './known-domains.js';
import { type KeyPlace, type SealedKey, SealedKeys } from './sealed-keys.js';

/** Limit of opened keys that are kept. One takes about 4 kB. */
const CAPACITY = 10_000;

/** The keys of the accounts' domains, out of the database. A rotation or deletion counts within a second. */
@Injectable()
export class StoredSigningKeys implements SigningKeys {
  /** By the sealed text, which differs for each key and place. */
  private readonly opened = new Map<string, KeyObject>();

  constructor(
    @Inject(KnownDomains) private readonly domains: Pick<KnownDomains, 'find'>,
    @Inject(SealedKeys) private readonly sealedKeys: Pick<SealedKeys, 'open'>,
  ) {}

  /** @throws UnreadableKeyError when the domain signs, and a key of it cannot be opened */
  async of(accountId: string, fromDomain: string): Promise<readonly SigningKey[]> {
    const domain = await this.domains.find(accountId, fromDomain);
    if (!domain) return [];
    return domain.keys.map(({ selector, algorithm, ...sealed }) => ({
      selector,
      algorithm,
      key: this.open({ ...sealed, domainId: domain.id, selector }),
    }));
  }

  private open(key: KeyPlace & SealedKey): KeyObject {
    const known = this.opened.get(key.sealed);
    if (known) return known;
    const opened = this.sealedKeys.open(key);
    this.opened.set(key.sealed, opened);
    if (this.opened.size > CAPACITY) this.opened.delete(this.opened.keys().next().value as string);
    return opened;
  }
}
