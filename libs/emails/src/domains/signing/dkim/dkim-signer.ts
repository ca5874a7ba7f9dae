import type { SigningKey } from '../signing-keys.js';
import { dkimSignature } from './dkim-signature.js';
import type { MessageDigest } from './message-digest.js';
import { signedFields } from './signed-fields.js';

/** How a message is signed. */
export interface SignatureRules {
  /** Domain of the signature, in A-labels. */
  domain: string;
  keys: readonly SigningKey[];
  /** Fields that go in front of the message below the signatures, which cover them. Default: none. */
  added?: readonly (readonly [name: string, value: string])[];
  /** Fields that the relay replaces, in lower case. Default: none. */
  replaced?: readonly string[];
  /** Time of signing. Default: now. */
  now?: Date;
}

/**
 * The values of `DKIM-Signature`, one for each key in the order of the keys.
 *
 * @throws CannotSign
 */
export async function dkimSignatures(message: MessageDigest, rules: SignatureRules): Promise<string[]> {
  const { domain, keys, added = [], replaced, now = new Date() } = rules;
  const above = added.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const fields = signedFields(above + message.header, replaced);
  const toSign = { domain, bodyHash: message.bodyHash, fields, now };
  return Promise.all(keys.map((key) => signedBy(key, toSign)));
}

async function signedBy(key: SigningKey, toSign: Parameters<typeof dkimSignature>[0]): Promise<string> {
  try {
    return await dkimSignature(toSign, key);
  } catch (cause) {
    throw new CannotSign(cause);
  }
}

/** A key of the domain cannot sign. Its message has nothing of the cause's, which may be about the key. */
export class CannotSign extends Error {
  override readonly name = 'CannotSign';

  constructor(cause: unknown) {
    super('A key of the domain cannot sign.', { cause });
  }
}
