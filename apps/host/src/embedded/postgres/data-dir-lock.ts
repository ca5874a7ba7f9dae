import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { liveProcess } from './live-process.js';

const lockOf = (dataDir: string): string => join(dataDir, 'host.lock');

/**
 * Claims a directory for this process. The claim has the process id and its start time, so that the claim of a killed
 * process is recognised even if its id was reused.
 *
 * @returns the function that releases the directory
 * @throws Error naming the live process that holds it
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = lockOf(dataDir);
  const claim = `${lock}.${process.pid}`;
  writeFileSync(claim, `${process.pid} ${liveProcess(process.pid)?.startedAt}\n`);
  try {
    while (!linked(claim, lock)) {
      const found = contentOf(lock);
      const holder = holderIn(found);
      if (holder !== undefined) {
        throw new Error(
          `The data directory ${dataDir} is in use by process ${holder}. Stop that process or set another DATA_DIR.`,
        );
      }
      removeStale(lock, found, `${claim}.stale`);
    }
  } finally {
    rmSync(claim, { force: true });
  }
  return () => rmSync(lock, { force: true });
}

/** The live process that has claimed the directory, if any. */
export function holderOf(dataDir: string): number | undefined {
  return holderIn(contentOf(lockOf(dataDir)));
}

function holderIn(claim: string): number | undefined {
  const [, pid, startedAt] = /^(\d+) (.+)\n$/.exec(claim) ?? [];
  return startedAt !== undefined && liveProcess(Number(pid))?.startedAt === startedAt ? Number(pid) : undefined;
}

/** A hard link appears with its content, or not at all: nothing reads half a claim. */
function linked(claim: string, lock: string): boolean {
  return succeeds(() => linkSync(claim, lock), 'EEXIST');
}

/** Only one of several claimants can move the file; one that moved a newer claim than the stale one restores it. */
function removeStale(lock: string, stale: string, aside: string): void {
  if (!succeeds(() => renameSync(lock, aside), 'ENOENT')) return;
  if (contentOf(aside) !== stale) linked(aside, lock);
  rmSync(aside, { force: true });
}

function contentOf(file: string): string {
  let content = '';
  succeeds(() => {
    content = readFileSync(file, 'utf8');
  }, 'ENOENT');
  return content;
}

function succeeds(action: () => void, expectedFailure: string): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expectedFailure) return false;
    throw error;
  }
}
