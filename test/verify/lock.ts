import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Prevents a second run until this process ends, because two would build and edit the same files.
 *
 * @param file with the id of the running process
 * @throws Error while another process runs
 */
export function lock(file: string): void {
  const owner = ownerOf(file);
  if (owner !== undefined && isAlive(owner)) {
    throw new Error(`Process ${owner} runs this already. If it is another program: remove ${file}.`);
  }
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, String(process.pid), { flag: 'wx' });
  process.once('exit', () => rmSync(file, { force: true }));
}

function ownerOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
