import { Semaphore } from '../../shared/work/semaphore.js';
import { ReportThreadBusy } from './report-thread-busy.js';

/** Tasks of one network that are at work or wait for the thread. */
const AT_ONCE = 2;
/** Time for which a further one waits for these. Milliseconds. */
const PATIENCE = 5_000;

/** Keeps the tasks of one network from standing in line before those of all others. */
export class NetworkTurns {
  private readonly networks = new Map<string, Semaphore>();

  constructor(private readonly patience = PATIENCE) {}

  /** @throws ReportThreadBusy when the network has its tasks already, and they take long */
  async run<T>(network: string, task: () => Promise<T>): Promise<T> {
    const turns = this.networks.get(network) ?? new Semaphore(AT_ONCE);
    this.networks.set(network, turns);
    if (!(await turns.acquire(this.patience))) throw new ReportThreadBusy();
    try {
      return await task();
    } finally {
      turns.release();
      if (turns.taken === 0) this.networks.delete(network);
    }
  }
}
