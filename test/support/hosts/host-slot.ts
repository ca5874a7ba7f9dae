import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromTestRun } from '../jest/test-environment.js';
import type { HostEnvironment } from './host-process.js';

/** A host that runs in a slot. */
export interface SlotHost {
  pid: number;
  env: HostEnvironment;
  /** Duration of its start. Milliseconds. */
  startTime: number;
  /** A digest of the tables, triggers and functions of its database. */
  schema: string;
}

/**
 * A slot for a host that test files use one after the other. In the folder of the run, `n.lock` marks a held slot, and
 * `n.json` describes its host. There are as many slots as concurrent files with one.
 */
export class HostSlot {
  private constructor(private readonly path: string) {}

  /** Claims the first free slot. @param kind hosts of one kind are alike */
  static claim(kind: string): HostSlot {
    const folder = join(tmpdir(), `shared-hosts-${fromTestRun('TEST_RUN_ID')}`, kind);
    mkdirSync(folder, { recursive: true });
    for (let number = 0; ; number++) {
      const slot = new HostSlot(join(folder, String(number)));
      if (slot.lock()) return slot;
    }
  }

  /** The file with the output of the hosts of this slot. */
  get log(): string {
    return `${this.path}.log`;
  }

  /** The file with budget violations of the hosts of this slot. */
  get findings(): string {
    return `${this.path}.findings`;
  }

  /** The host that an earlier file left here. */
  read(): SlotHost | undefined {
    try {
      return JSON.parse(readFileSync(`${this.path}.json`, 'utf8'));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  write(host: SlotHost): void {
    writeFileSync(`${this.path}.json`, JSON.stringify(host));
  }

  /** Kills the host, if there is one: the next file starts another. */
  empty(): void {
    const host = this.read();
    rmSync(`${this.path}.json`, { force: true });
    if (host) signal(host.pid, 'SIGKILL');
  }

  /** Other files may claim it. */
  free(): void {
    rmdirSync(`${this.path}.lock`);
  }

  private lock(): boolean {
    try {
      mkdirSync(`${this.path}.lock`);
      return true;
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      throw error;
    }
  }
}

/** Sends a signal to a process, unless it has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isCode(error, 'ESRCH')) throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
