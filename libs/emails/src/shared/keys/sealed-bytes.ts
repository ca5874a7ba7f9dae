import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DerivedKey } from './secret-keys.js';

const CIPHER = 'aes-256-gcm';
/** Bytes. */
export const IV = 12;
const TAG = 16;

/**
 * Encrypts bytes: AES-256-GCM.
 *
 * @param place where they are used; they open nowhere else
 * @param iv of 12 bytes, never the same for other bytes under this key. Default: random
 * @returns initialisation vector, tag and bytes
 */
export function sealBytes({ key }: DerivedKey, place: string, bytes: Uint8Array, iv: Buffer = randomBytes(IV)): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** The bytes that `sealBytes` encrypted. @throws Error when they were sealed with another key, for another place, or changed */
export function openBytes({ key }: DerivedKey, place: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV), { authTagLength: TAG })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]);
}
