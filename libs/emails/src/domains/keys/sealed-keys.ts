import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { openText, sealText } from '../../shared/keys/sealed-text.js';
import { type DerivedKeys, SecretKeys } from '../../shared/keys/secret-keys.js';
import { UnreadableKeyError } from './unreadable-key.error.js';

/** A private key as it is stored. */
export interface SealedKey {
  /** Id of the secret key that it is encrypted with. */
  keyId: string;
  /** Base64 of initialisation vector, tag and text. */
  sealed: string;
}

/** The key's place in the database: it opens nowhere else. */
export interface KeyPlace {
  domainId: string;
  selector: string;
}

/** Private keys at rest: AES-256-GCM, bound to their domain and selector. */
@Injectable()
export class SealedKeys {
  private readonly keys: DerivedKeys;

  constructor(@Inject(SecretKeys) secrets: SecretKeys) {
    this.keys = secrets.for('domains v1');
  }

  /** @throws ApiError 422 without a secret */
  requireSecret(): void {
    if (this.keys.first) return;
    throw ApiError.invalid(
      'This server makes no keys of domains: it has no secret key. Its operator sets `secretKeys` (`SECRET_KEY`).',
    );
  }

  knows(keyId: string): boolean {
    return this.keys.find(keyId) !== undefined;
  }

  /** @param key PKCS #8 @throws ApiError 422 without a secret */
  seal({ domainId, selector }: KeyPlace, key: Buffer): SealedKey {
    this.requireSecret();
    const first = this.keys.first as NonNullable<DerivedKeys['first']>;
    return { keyId: first.id, sealed: sealText(first, placeOf(domainId, selector), key.toString('base64')) };
  }

  /** Ids of secret keys that are still accepted, and no longer used. */
  get oldIds(): string[] {
    return this.keys.all.slice(1).map(({ id }) => id);
  }

  /** The key, encrypted with the secret in use; undefined if it cannot be opened. */
  resealed(key: KeyPlace & SealedKey): SealedKey | undefined {
    try {
      return this.seal(key, this.open(key).export({ format: 'der', type: 'pkcs8' }));
    } catch {
      return undefined;
    }
  }

  /** @throws UnreadableKeyError */
  open({ domainId, selector, keyId, sealed }: KeyPlace & SealedKey): KeyObject {
    const key = this.keys.find(keyId);
    if (!key) {
      throw new UnreadableKeyError('A key of a domain is encrypted with a secret that is not among `secretKeys`.');
    }
    try {
      const der = Buffer.from(openText(key, placeOf(domainId, selector), sealed), 'base64');
      return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    } catch (cause) {
      throw new UnreadableKeyError('A key of a domain is not what was encrypted.', { cause });
    }
  }
}

function placeOf(domainId: string, selector: string): string {
  return `${domainId} ${selector}`;
}
