import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../servers/postgres.js';
import { askProgram } from './ask-program.js';
import { type HostProcess, spawnProgram } from './host-process.js';

const PROGRAM = fileURLToPath(new URL('data-source-program.mjs', import.meta.url));

/** The one process of this test file. */
let program: HostProcess | undefined;

/** Runs code with the host's data source as `dataSource`, and returns its JSON result. */
export function onDataSource<T>({ url }: Pick<TestDatabase, 'url'>, code: string): Promise<T> {
  program ??= spawnProgram(PROGRAM, [], {}, { ipc: true });
  return askProgram<T>(program, { url, code });
}
