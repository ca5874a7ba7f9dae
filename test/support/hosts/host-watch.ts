import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowanceOf } from './watch/allowed.js';
import type { Finding } from './watch/finding.js';

const PRELOAD = new URL('watch/preload.mjs', import.meta.url);

/** All watches of this test file. */
const watches = new Set<HostWatch>();

/** Collects the findings of a host process with `watch/preload.mjs`. */
export class HostWatch {
  private read = 0;

  /** @param file may contain findings of earlier processes of the same host, which are ignored */
  constructor(private readonly file = join(tmpdir(), `host-watch-${randomBytes(8).toString('hex')}.jsonl`)) {
    if (existsSync(file)) this.read = statSync(file).size;
    watches.add(this);
  }

  /** For Node, before the program. */
  get nodeArguments(): string[] {
    const url = new URL(PRELOAD);
    url.searchParams.set('findings', this.file);
    return ['--import', url.href];
  }

  /** New findings. */
  take(): Finding[] {
    if (!existsSync(this.file)) return [];
    const written = readFileSync(this.file).subarray(this.read);
    this.read += written.length;
    return written
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Finding);
  }

  /** The same in words, without allowed ones. */
  problems(): string[] {
    return this.take()
      .filter((finding) => allowanceOf(finding) === undefined)
      .map(inWords);
  }
}

/** @throws Error with each finding of a host of this test file, and the work in progress */
export function expectHostsWithinBudget(): void {
  const problems = [...watches].flatMap((watch) => watch.problems());
  if (problems.length > 0) throw new Error(`A host of this file went beyond its budget:\n${problems.join('\n')}`);
}

function inWords({ kind, amount, limit, during }: Finding): string {
  const names = Object.entries(during).map(([name, count]) => `${name} (${count})`);
  const meanwhile = names.length > 0 ? names.join(', ') : 'nothing with a name';
  switch (kind) {
    case 'tick':
      return `One tick of the event loop used ${amount} ms of processor time, limit ${limit} ms. In progress: ${meanwhile}.`;
    case 'peak':
      return `Memory grew by ${amount} MB, limit ${limit} MB. Most of it during: ${meanwhile}.`;
    case 'kept':
      return `${amount} MB were kept after all work had ended, limit ${limit} MB. Memory grew during: ${meanwhile}.`;
  }
}
