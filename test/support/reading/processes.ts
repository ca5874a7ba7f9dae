import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { until } from '../basics/wait-for.js';

/** Command lines of all processes that name `folder` or work in it, by id: hosts, supervisors, servers, their back ends. */
export function processesOf(folder: string): Map<number, string> {
  const found = new Map<number, string>();
  if (process.platform === 'linux') {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const mine = commandLine.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
        if (mine) found.set(Number(pid), commandLine);
      } catch {
        // It has ended, or belongs to another user.
      }
    }
  } else {
    for (const line of execFileSync('ps', ['-A', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n')) {
      if (line.includes(folder)) found.set(Number.parseInt(line, 10), line);
    }
  }
  return found;
}

/** The same, and those with the folder in their environment. Linux only. */
export function processesToldOf(folder: string): Map<number, string> {
  const found = processesOf(folder);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder)) {
        found.set(Number(pid), readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
      }
    } catch {
      // It has ended, or belongs to another user.
    }
  }
  return found;
}

/** Waits until no process of the folder is left. */
export function nobodyLeftIn(folder: string): Promise<unknown> {
  return until(() => processesOf(folder).size === 0, { what: `all processes of ${folder} to end` });
}
