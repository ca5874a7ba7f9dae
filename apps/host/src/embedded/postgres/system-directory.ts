import { chmodSync, mkdirSync } from 'node:fs';

const SYSTEM_DIRECTORY = '/var/lib/nestjs-emails';

/** Where root keeps what PostgreSQL's user cannot reach in the place it belongs to: only root writes, all may pass. */
export function systemDirectory(): string {
  if (mkdirSync(SYSTEM_DIRECTORY, { recursive: true })) chmodSync(SYSTEM_DIRECTORY, 0o755);
  return SYSTEM_DIRECTORY;
}
