import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../shared/errors/start.error.js';

/** Bits of the RSA key, as of the keys of domains (RFC 8301 section 3.2). */
const BITS = 2048;

/** The DKIM key of a data directory. It signs mail that goes to the local inbox, and has no record in DNS. */
export interface DevelopmentKey {
  selector: 'development';
  algorithm: 'rsa';
  key: KeyObject;
}

/** Path of the key in a data directory: PKCS #8 in PEM (RFC 7468 section 10). */
export const developmentKeyPath = (dataDir: string): string => join(dataDir, 'dkim-key');

/**
 * The key of a data directory, generated if it is missing, readable by this user only. Processes that start at the same
 * time get the same key.
 *
 * @throws StartError for a file without a valid key
 */
export async function openDevelopmentKey(dataDir: string): Promise<DevelopmentKey> {
  const path = developmentKeyPath(dataDir);
  const pem = (await read(path)) ?? (await make(path));
  return { selector: 'development', algorithm: 'rsa', key: parse(path, pem) };
}

/** The TXT record of the key (RFC 6376 section 3.6.1). */
export function recordOf({ key }: DevelopmentKey): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}

function parse(path: string, pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= BITS) return key;
  } catch {
    // The message of the error may quote the file.
  }
  throw new StartError(
    `${path} does not hold an RSA key of ${BITS} bits or more in PEM. Remove it to generate a new one. It signs mail for ` +
      'the local inbox only.',
  );
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The first process that links its file decides; the others read it. */
async function make(path: string): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const partial = `${path}.${randomUUID()}`;
  await mkdir(join(path, '..'), { recursive: true });
  try {
    await write(partial, pem);
    await put(partial, path);
    return await readFile(path, 'utf8');
  } finally {
    await rm(partial, { force: true });
  }
}

async function write(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A file system without hard links replaces the file of another process. */
async function put(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rename(partial, path);
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
