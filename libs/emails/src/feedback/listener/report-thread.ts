import type { WorkerOptions } from 'node:worker_threads';
import { folder } from '#emails-folder';
import { Semaphore } from '../../shared/work/semaphore.js';
import { WorkThread } from '../../shared/work/work-thread.js';
import type { Report } from '../reports/report.js';
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
  private readonly turns = new Semaphore(1);
  private readonly thread: WorkThread<ReportTask, Report[] | Verdict>;

  /** @param program the thread's program, with these options: for tests */
  constructor(
    program = PROGRAM,
    options: WorkerOptions = {},
    private readonly turn = TURN,
  ) {
    const purpose = 'to read reports';
    this.thread = new WorkThread({ program, purpose, memory: MEMORY, patience: PATIENCE, here: reportWork, options });
  }

  /**
   * Reads the reports in a message.
   *
   * @throws ReportThreadBusy, and ThreadLimitError for a message that takes too long
   */
  read(message: Uint8Array): Promise<Report[]> {
    return this.run({ read: new Uint8Array(message) }) as Promise<Report[]>;
  }

  /**
   * Verifies the signatures of a report.
   *
   * @throws ReportThreadBusy, and ThreadLimitError for a message that takes too long
   */
  verify(given: ToVerify): Promise<Verdict> {
    return this.run({ verify: { ...given, message: new Uint8Array(given.message) } }) as Promise<Verdict>;
  }

  private async run(task: ReportTask): Promise<Report[] | Verdict> {
    if (!(await this.turns.acquire(1, this.turn))) throw new ReportThreadBusy();
    try {
      return await this.thread.run(task);
    } finally {
      this.turns.release();
    }
  }
}

/** Other reports took the time: the sender should try again. */
export class ReportThreadBusy extends Error {
  override readonly name = 'ReportThreadBusy';
}
