import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a folder in the system's temporary folder.
 * Mode 0711: started by root, PostgreSQL runs as another user and must be able to pass through.
 */
export function makeTempFolder(prefix = 'emails-test-') {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o711);
  return folder;
}
