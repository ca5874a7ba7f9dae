import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_PATTERN } from 'nestjs-emails/access';

/** Path of the bootstrap key in a data directory: the key that is generated without `BOOTSTRAP_API_KEY`. */
export const bootstrapKeyPath = (dataDir: string): string => join(dataDir, 'api-key');

/** The bootstrap key of a data directory, if there is a well-formed one. */
export function readBootstrapKey(dataDir: string): string | undefined {
  try {
    const content = readFileSync(bootstrapKeyPath(dataDir), 'utf8').trim();
    return TOKEN_PATTERN.test(content) ? content : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Writes the file, readable by this user only. The write is atomic. */
export function writeBootstrapKey(dataDir: string, token: string): void {
  const path = bootstrapKeyPath(dataDir);
  const partial = `${path}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(partial, `${token}\n`, { mode: 0o600 });
  renameSync(partial, path);
}
