import { openBytes, sealBytes } from './sealed-bytes.js';
import type { DerivedKey } from './secret-keys.js';

/**
 * Encrypts a text: AES-256-GCM.
 *
 * @param place where the text is stored; it opens nowhere else
 * @returns base64 of initialisation vector, tag and text
 */
export function sealText(key: DerivedKey, place: string, text: string): string {
  return sealBytes(key, place, Buffer.from(text)).toString('base64');
}

/** The text that `sealText` encrypted. @throws Error when it was sealed with another key, for another place, or changed */
export function openText(key: DerivedKey, place: string, sealed: string): string {
  return openBytes(key, place, Buffer.from(sealed, 'base64')).toString();
}
