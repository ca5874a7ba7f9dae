import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Interval of checks. Milliseconds. */
const EVERY = 250;
/** Milliseconds without any work after which memory must be free again. */
const QUIET = 1_000;
/** Milliseconds between two collections. */
const PAUSE = 5_000;
/** A finding has the names during which memory grew by at least this part of what it grew during the first of them. */
const WORTH_NAMING = 0.25;
const MB = 1_048_576;

/**
 * Finds two kinds of growth: of the peak of resident memory, and of the memory in use without work and after a garbage
 * collection. It collects garbage only if there may be a finding.
 */
export class MemoryWatch {
  constructor({ peak, kept }, work, report, collected) {
    this.limits = { peak, kept };
    this.work = work;
    this.report = report;
    this.collected = collected;
    this.window = work.window();
    this.found = new Set();
    /** Bytes by which memory grew while work of that name was in progress. */
    this.growth = new Map();
    this.quietSince = undefined;
    this.collectedAt = Number.NEGATIVE_INFINITY;
  }

  start() {
    this.resident = process.memoryUsage.rss();
    this.first = used();
    this.last = this.first;
    setInterval(() => this.look(), EVERY).unref();
  }

  look() {
    const now = used();
    const during = this.window.take();
    const grown = now - this.last;
    this.last = now;
    if (grown > MB)
      for (const name of Object.keys(during())) this.growth.set(name, (this.growth.get(name) ?? 0) + grown);
    this.find('peak', highestResident() - this.resident);
    this.lookForKept(now);
  }

  lookForKept(now) {
    const at = performance.now();
    this.quietSince = this.work.isQuiet ? (this.quietSince ?? at) : undefined;
    const isSuspicious = now - this.first > this.limits.kept * MB && at - this.collectedAt > PAUSE;
    if (this.found.has('kept') || !isSuspicious || !(at - this.quietSince > QUIET)) return;
    this.collectedAt = at;
    // The second collection frees memory that the first only found.
    for (let round = 0; round < 2; round++) collectGarbage();
    this.collected();
    this.last = used();
    this.find('kept', this.last - this.first);
  }

  find(kind, bytes) {
    const amount = Math.round(bytes / MB);
    if (amount <= this.limits[kind] || this.found.has(kind)) return;
    this.found.add(kind);
    const most = Math.max(...this.growth.values());
    const growers = [...this.growth].filter(([, grown]) => grown >= WORTH_NAMING * most).sort(([, a], [, b]) => b - a);
    const during = Object.fromEntries(growers.map(([name, grown]) => [name, `${Math.round(grown / MB)} MB`]));
    this.report({ kind, amount, limit: this.limits[kind], during });
  }
}

function used() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The highest so far on Linux, else the present. */
function highestResident() {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1_024;
}

let gc;

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  gc ??= runInNewContext('gc');
  gc();
}
