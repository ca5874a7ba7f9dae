import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_PATTERN } from '../api-keys/token.js';

/** Where a data directory keeps the operator's key. */
export const keptKeyPath = (dataDir: string): string => join(dataDir, 'api-key');

/** The key kept in a data directory, if there is a well-formed one. */
export function keptKey(dataDir: string): string | undefined {
  try {
    const content = readFileSync(keptKeyPath(dataDir), 'utf8').trim();
    return TOKEN_PATTERN.test(content) ? content : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Keeps a key, readable by this user only. The file appears whole or not at all. */
export function keepKey(dataDir: string, token: string): void {
  const path = keptKeyPath(dataDir);
  const partial = `${path}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(partial, `${token}\n`, { mode: 0o600 });
  renameSync(partial, path);
}
