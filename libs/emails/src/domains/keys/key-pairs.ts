import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../shared/work/fair-semaphore.js';
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

  async make(accountId: string, algorithm: KeyAlgorithm): Promise<KeyPair> {
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
