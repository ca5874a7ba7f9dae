import type { WorkerOptions } from 'node:worker_threads';
import { folder } from '#emails-folder';
import { Semaphore } from '../../shared/work/semaphore.js';
import { WorkThread } from '../../shared/work/work-thread.js';
import type { Report } from '../reports/report.js';
import { NetworkTurns } from './network-turns.js';
import { ReportThreadBusy } from './report-thread-busy.js';
import { type ReportTask, reportWork } from './report-work.js';
import type { ToVerify, Verdict } from './verify-signatures.js';

/** Memory limit of the thread. Megabytes. */
const MEMORY = 256;
/** Time limit of one task: the worst known one takes a hundredth of it. Milliseconds. */
const PATIENCE = 20_000;
/** Time for which a task waits for those before it. Milliseconds. */
const TURN = 60_000;
const PROGRAM = new URL('feedback/listener/report.worker.js', folder);

/** Reads and verifies reports in a thread, one at a time: anybody may send one, and it must not hold up the process. */
export class ReportThread {
  private readonly networks = new NetworkTurns();
  private readonly turns = new Semaphore(1);
  private readonly thread: WorkThread<ReportTask, Report[] | Verdict>;

  /** @param program the thread's program, with these options: for tests */
  constructor(
    program = PROGRAM,
    options: WorkerOptions = {},
    private readonly turn = TURN,
  ) {
    this.thread = new WorkThread({
      program,
      purpose: 'to read reports',
      memory: MEMORY,
      patience: PATIENCE,
      here: reportWork,
      otherwise: 'large reports delay other work',
      options,
    });
  }

  /**
   * Reads the reports in a message.
   *
   * @param network of the client that sent it
   * @throws ReportThreadBusy, and ThreadLimitError for a message that takes too long
   */
  read(message: Uint8Array, network: string): Promise<Report[]> {
    return this.run(network, { read: new Uint8Array(message) }) as Promise<Report[]>;
  }

  /**
   * Verifies the signatures of a report.
   *
   * @param network of the client that sent it
   * @throws ReportThreadBusy, and ThreadLimitError for a message that takes too long
   */
  verify(given: ToVerify, network: string): Promise<Verdict> {
    return this.run(network, { verify: { ...given, message: new Uint8Array(given.message) } }) as Promise<Verdict>;
  }

  private run(network: string, task: ReportTask): Promise<Report[] | Verdict> {
    return this.networks.run(network, () => this.runInTurn(task));
  }

  private async runInTurn(task: ReportTask): Promise<Report[] | Verdict> {
    if (!(await this.turns.acquire(this.turn))) throw new ReportThreadBusy();
    try {
      return await this.thread.run(task);
    } finally {
      this.turns.release();
    }
  }
}
