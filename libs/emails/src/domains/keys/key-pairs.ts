import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { FairSemaphore } from '../../shared/work/fair-semaphore.js';
import { DOMAIN_LIMITS } from '../limits.js';
import type { KeyAlgorithm } from '../storage/domain-key.entity.js';

const generate = promisify(generateKeyPair);

/** RFC 8301: signers use at least 2048 bits. A longer key does not fit into one string of a TXT record. */
const RSA_BITS = 2048;
/** A key takes up to a second of a thread of the pool, which signatures and files need as well. */
const AT_ONCE = 1;
/** Length of the key in the DER of an Ed25519 public key (RFC 8410). Bytes. */
const ED25519 = 32;

/** A new pair. */
export interface KeyPair {
  /** Value of the tag `p=`: base64 of the SubjectPublicKeyInfo, or of the bare key for Ed25519 (RFC 8463). */
  publicKey: string;
  /** PKCS #8. */
  privateKey: Buffer;
}

/** Makes key pairs in the thread pool. Accounts take turns. */
@Injectable()
export class KeyPairs {
  private readonly slots = new FairSemaphore(AT_ONCE);
  /** Pairs to make, by account. */
  private readonly waiting = new Map<string, number>();

  /** @throws ApiError 503 when the account waits for many already */
  async make(accountId: string, algorithm: KeyAlgorithm): Promise<KeyPair> {
    const waiting = this.waiting.get(accountId) ?? 0;
    if (waiting >= DOMAIN_LIMITS.pairs.max) throw busy();
    this.waiting.set(accountId, waiting + 1);
    try {
      return await this.makeInTurn(accountId, algorithm);
    } finally {
      const left = (this.waiting.get(accountId) ?? 1) - 1;
      if (left > 0) this.waiting.set(accountId, left);
      else this.waiting.delete(accountId);
    }
  }

  private async makeInTurn(accountId: string, algorithm: KeyAlgorithm): Promise<KeyPair> {
    const release = await this.slots.acquire(accountId);
    try {
      return pairOf(
        algorithm === 'rsa' ? await generate('rsa', { modulusLength: RSA_BITS }) : await generate('ed25519'),
      );
    } finally {
      release();
    }
  }
}

const busy = (): ApiError =>
  new ApiError(503, 'application_error', 'Many keys of this account are being made. Nothing was changed.', {
    'retry-after': '5',
  });

/** The value of `p=` of a private key. */
export function publicValueOf(privateKey: KeyObject): string {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const bytes = privateKey.asymmetricKeyType === 'ed25519' ? der.subarray(-ED25519) : der;
  return bytes.toString('base64');
}

function pairOf({ privateKey }: { privateKey: KeyObject }): KeyPair {
  return {
    publicKey: publicValueOf(privateKey),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}
