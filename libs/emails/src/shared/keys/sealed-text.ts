import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DerivedKey } from './secret-keys.js';

const CIPHER = 'aes-256-gcm';
const IV = 12;
const TAG = 16;

/**
 * Encrypts a text: AES-256-GCM.
 *
 * @param place where the text is stored; it opens nowhere else
 * @returns base64 of initialisation vector, tag and text
 */
export function sealText({ key }: DerivedKey, place: string, text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The text that `sealText` encrypted. @throws Error when it was sealed with another key, for another place, or changed */
export function openText({ key }: DerivedKey, place: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV), { authTagLength: TAG })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(IV, IV + TAG));
  return decipher.update(bytes.subarray(IV + TAG), undefined, 'utf8') + decipher.final('utf8');
}
