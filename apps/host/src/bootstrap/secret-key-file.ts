import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_KEY_PATTERN } from '../config/variables.js';
import { StartError } from '../shared/errors/start.error.js';

/** Where a data directory has the secret that is made where `SECRET_KEY` is not set. */
export const secretKeyPath = (dataDir: string): string => join(dataDir, 'secret-key');

/**
 * The secret of a data directory, made when there is none, readable by this user only. It is never made anew over another:
 * what was signed or encrypted with that would be lost.
 *
 * @throws StartError when what is there is no secret
 */
export function openSecretKey(dataDir: string): string {
  const path = secretKeyPath(dataDir);
  const secret = read(path) ?? make(path);
  if (SECRET_KEY_PATTERN.test(secret)) return secret;
  throw new StartError(
    `SECRET_KEY is not set, and ${path} does not hold a key of 32 to 256 printable characters. Restore that file, or ` +
      'remove it to have a new one made: links that were given away end with it.',
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

/** It appears whole or not at all. Nobody else makes one meanwhile: whoever has the embedded database has the directory. */
function make(path: string): string {
  const secret = randomBytes(32).toString('base64url');
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(partial, path);
  return secret;
}
