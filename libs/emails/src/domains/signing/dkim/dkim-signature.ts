import { createHash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningKey } from '../signing-keys.js';
import { relaxedValue } from './header-fields.js';
import type { SignedFields } from './signed-fields.js';

/** In libuv's threads: the event loop does not wait for an RSA operation. */
const signInThread = promisify(sign as (algorithm: string | null, data: Buffer, key: KeyObject, done: Done) => void);
type Done = (error: Error | null, signature: Buffer) => void;

/** Characters of a folded line, below the 78 of RFC 5322 section 2.1.1. */
const LINE = 72;
const FOLD = '\r\n\t';

/** The data of a signature, without the key. */
export interface ToSign {
  /** In A-labels. */
  domain: string;
  /** In base64. */
  bodyHash: string;
  fields: SignedFields;
  /** Time of signing. */
  now: Date;
}

/**
 * The value of a `DKIM-Signature` field (RFC 6376 section 3.5; RFC 8463 for Ed25519): `relaxed/relaxed`, no `l=`.
 *
 * @throws any error of a key that cannot sign
 */
export async function dkimSignature({ domain, bodyHash, fields, now }: ToSign, key: SigningKey): Promise<string> {
  const unsigned = [
    `v=1; a=${key.algorithm}-sha256; c=relaxed/relaxed; d=${domain};`,
    `s=${key.selector}; t=${Math.floor(now.getTime() / 1_000)};`,
    `h=${foldedNames(fields.names)};`,
    `bh=${bodyHash};`,
    'b=',
  ].join(FOLD);
  const data = Buffer.from(`${fields.data}dkim-signature:${relaxedValue(unsigned)}`, 'latin1');
  return unsigned + foldedText((await signatureOf(data, key)).toString('base64'));
}

function signatureOf(data: Buffer, { algorithm, key }: SigningKey): Promise<Buffer> {
  if (key.asymmetricKeyType !== algorithm) throw new WrongKeyType(`The key is not of the type ${algorithm}.`);
  // RFC 8463 section 3: PureEdDSA over the SHA-256 of the data.
  if (algorithm === 'ed25519') return signInThread(null, createHash('sha256').update(data).digest(), key);
  return signInThread('sha256', data, key);
}

/** Folded after colons only: no blank may be within a name (RFC 6376 section 3.5, `h=`). */
function foldedNames(names: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const name of names) {
    if (line !== '' && line.length + name.length >= LINE) {
      lines.push(`${line}:`);
      line = '';
    }
    line += line === '' ? name : `:${name}`;
  }
  return [...lines, line].join(FOLD);
}

function foldedText(base64: string): string {
  return (base64.match(/.{1,72}/g) ?? []).join(FOLD);
}

class WrongKeyType extends Error {
  override readonly name = 'WrongKeyType';
}
