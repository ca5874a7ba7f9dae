import { Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { openText, sealText } from '../../shared/keys/sealed-text.js';
import { type DerivedKeys, SecretKeys } from '../../shared/keys/secret-keys.js';
import { newSecret } from '../../shared/keys/webhook-signature.js';

/** Time for which an old secret signs next to the new one. Milliseconds. */
const GRACE = 86_400_000;
/** Limit of old secrets that sign at the same time. */
const MAX_OLD = 2;

/** A signing secret as it is stored. */
export interface SealedSecret {
  /** Id of the key that it is encrypted with. */
  key: string;
  /** Base64 of initialisation vector, tag and text. */
  sealed: string;
  /** End of its validity, ISO 8601; null while it is the newest. */
  until: string | null;
}

/** A secret is encrypted with a key that this process does not have, or was tampered with. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';
}

/** Signing secrets at rest: AES-256-GCM, bound to their endpoint. */
@Injectable()
export class SealedSecrets {
  private readonly keys: DerivedKeys;

  constructor(secrets: SecretKeys) {
    this.keys = secrets.for('webhooks v1');
  }

  /** True if there is a key to encrypt with. */
  get canSeal(): boolean {
    return this.keys.first !== undefined;
  }

  knows({ key }: Pick<SealedSecret, 'key'>): boolean {
    return this.keys.find(key) !== undefined;
  }

  /** A new secret for an endpoint, in clear and as it is stored. @throws ApiError 422 without a key */
  make(webhookId: string): { secret: string; sealed: SealedSecret } {
    const key = this.keys.first;
    if (!key) {
      throw ApiError.invalid(
        'This server has no webhooks: it has no secret key. Its operator sets `secretKeys` (`SECRET_KEY`).',
      );
    }
    const secret = newSecret();
    const sealed = sealText(key, webhookId, secret);
    return { secret, sealed: { key: key.id, sealed, until: null } };
  }

  /**
   * The secrets of an endpoint that sign now, the newest first. Old secrets without a key no longer sign.
   *
   * @throws UnknownKeyError when the newest cannot be read
   */
  valid(webhookId: string, secrets: readonly SealedSecret[], now = Date.now()): string[] {
    const isLive = (secret: SealedSecret) => Date.parse(secret.until ?? '') > now && this.knows(secret);
    const live = secrets.filter((secret) => secret.until === null || isLive(secret));
    return live.map((secret) => this.open(webhookId, secret));
  }

  private open(webhookId: string, { key: id, sealed }: SealedSecret): string {
    const key = this.keys.find(id);
    if (!key) throw new UnknownKeyError('A webhook is signed with a secret whose key is not known.');
    try {
      return openText(key, webhookId, sealed);
    } catch (cause) {
      throw new UnknownKeyError('The secret of a webhook is not what was encrypted.', { cause });
    }
  }

  /** Puts a new secret in front. Secrets that can no longer be opened are dropped: they cannot sign. */
  rotated(secrets: readonly SealedSecret[], fresh: SealedSecret, now = Date.now()): SealedSecret[] {
    const end = new Date(now + GRACE).toISOString();
    const old = secrets
      .filter((secret) => this.knows(secret))
      .map((secret) => ({ ...secret, until: secret.until ?? end }))
      .filter(({ until }) => Date.parse(until) > now);
    return [fresh, ...old.slice(0, MAX_OLD)];
  }
}
