import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Distinguishes a process from a later one with the same id. */
export interface LiveProcess {
  /** In the system's notation, only for comparison. */
  startedAt: string;
  commandLine: string;
}

/** The process with this id, or undefined if it does not exist. A zombie counts as absent. */
export function liveProcess(pid: number): LiveProcess | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

/** proc(5): `cmdline` is empty for a zombie; the 22nd field of `stat` is the start time, the second may hold spaces. */
function fromProc(pid: number): LiveProcess | undefined {
  const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return commandLine && startedAt ? { startedAt, commandLine } : undefined;
}

/** ps(1): `lstart` is 24 characters wide, as in `Sat Nov 21 10:06:48 2026`. */
function fromPs(pid: number): LiveProcess | undefined {
  const columns = ['-ww', '-o', 'state=', '-o', 'lstart=', '-o', 'command=', '-p', String(pid)];
  const [, state, startedAt, commandLine] =
    /^(\S+)\s+(.{24})\s+(.*)$/.exec(execFileSync('ps', columns, { encoding: 'utf8' }).trim()) ?? [];
  return startedAt && commandLine && !state?.startsWith('Z') ? { startedAt, commandLine } : undefined;
}
