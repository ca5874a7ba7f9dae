import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterFile } from '../../support/basics/cleanup.js';
import type { Account } from './random-caller.js';

export interface Report {
  /** Duration of each request. Milliseconds. */
  times: number[];
  problems: string[];
}

/** Another account that sends small requests all the time. */
export class Neighbour {
  private constructor(private readonly worker: Worker) {}

  /** It is stopped after the test file. */
  static start(url: string, account: Account): Neighbour {
    const worker = new Worker(new URL('neighbour-thread.mjs', import.meta.url), {
      workerData: { url, ...account },
      execArgv: [],
    });
    afterFile(() => worker.terminate());
    return new Neighbour(worker);
  }

  /** Observations since the last call. */
  take(): Promise<Report> {
    return this.ask('take');
  }

  stop(): Promise<Report> {
    return this.ask('stop');
  }

  private async ask(what: 'take' | 'stop'): Promise<Report> {
    this.worker.postMessage(what);
    const [report] = await once(this.worker, 'message');
    return report as Report;
  }
}

/** The time that 99 of 100 do not exceed. */
export function p99(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}
