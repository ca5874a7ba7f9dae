import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_KEY_PATTERN } from '../config/variables.js';
import { StartError } from '../shared/errors/start.error.js';

/** Path of the secret in a data directory that is generated without `SECRET_KEY`. */
export const secretKeyPath = (dataDir: string): string => join(dataDir, 'secret-key');

/**
 * The secret of a data directory, generated if it is missing, readable by this user only. It is never replaced:
 * everything signed or encrypted with it would be lost.
 *
 * @throws StartError for a file without a valid secret
 */
export function openSecretKey(dataDir: string): string {
  const path = secretKeyPath(dataDir);
  const secret = read(path) ?? make(path);
  if (SECRET_KEY_PATTERN.test(secret)) return secret;
  throw new StartError(
    `SECRET_KEY is not set, and ${path} does not hold a key of 32 to 256 printable characters. Restore that file, or ` +
      'remove it to generate a new one, which invalidates existing links.',
  );
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The write is atomic. No other process generates one at the same time, because the process with the embedded database
 * holds the directory.
 */
function make(path: string): string {
  const secret = randomBytes(32).toString('base64url');
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(partial, path);
  return secret;
}
