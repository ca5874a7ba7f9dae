import { chmodSync, mkdirSync } from 'node:fs';

const SYSTEM_DIRECTORY = '/var/lib/nestjs-emails';

/**
 * Directory of root for files that PostgreSQL's user cannot reach otherwise: writable by root only, accessible to all.
 */
export function systemDirectory(): string {
  if (mkdirSync(SYSTEM_DIRECTORY, { recursive: true })) chmodSync(SYSTEM_DIRECTORY, 0o755);
  return SYSTEM_DIRECTORY;
}
