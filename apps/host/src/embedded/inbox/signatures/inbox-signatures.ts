import { type DkimStatus, PENDING, type SignatureTask, UNKNOWN } from './signature-check.js';
import { SignatureThread } from './signature-thread.js';

/** Limit of remembered results. */
const REMEMBERED = 2_000;
/** Time after which a message whose key could not be looked up is verified again, when it is shown. Milliseconds. */
const AGAIN = 60_000;

/** Facts of a check that are the same for all messages. */
export type SignatureOptions = Omit<SignatureTask, 'file'>;

/**
 * Verifies the signatures of messages that are looked at, one at a time in a thread: receiving never waits for it, and
 * nothing happens for messages that nobody looks at.
 */
export class InboxSignatures {
  /** By id; the oldest first. */
  private readonly results = new Map<string, { status: DkimStatus; until: number }>();
  /** Paths of messages to verify, by id, in the order of the questions. */
  private readonly waiting = new Map<string, string>();
  private readonly listeners = new Map<string, ((status: DkimStatus) => void)[]>();
  private isRunning = false;
  private isStopped = false;

  constructor(
    private readonly options: SignatureOptions,
    private readonly thread: Pick<SignatureThread, 'run' | 'stop'> = new SignatureThread(),
    private readonly now = Date.now,
  ) {}

  /** The result for a message; `PENDING` until it is verified, which this begins. @param file path of the message */
  statusOf(id: string, file: string): DkimStatus {
    const known = this.results.get(id);
    if (known && this.now() < known.until) return known.status;
    if (!this.isStopped && !this.waiting.has(id) && this.waiting.size < REMEMBERED) {
      this.waiting.set(id, file);
      void this.runAll();
    }
    return known?.status ?? PENDING;
  }

  /** The result for a message, once it is verified. @param limit time after which it is `PENDING`. Milliseconds */
  async resultOf(id: string, file: string, limit: number): Promise<DkimStatus> {
    const status = this.statusOf(id, file);
    if (!this.waiting.has(id)) return status;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(status), limit);
      this.listeners.set(id, [
        ...(this.listeners.get(id) ?? []),
        (result) => {
          clearTimeout(timer);
          resolve(result);
        },
      ]);
    });
  }

  /** Verifies no further message. */
  stop(): void {
    this.isStopped = true;
    this.thread.stop();
    for (const id of [...this.waiting.keys()]) this.settle(id, UNKNOWN);
  }

  private async runAll(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (let next = first(this.waiting); next; next = first(this.waiting)) {
      const [id, file] = next;
      this.settle(id, await this.thread.run({ ...this.options, file }));
    }
    this.isRunning = false;
  }

  private settle(id: string, status: DkimStatus): void {
    if (!this.waiting.delete(id)) return;
    const until = status.status === 'temperror' ? this.now() + AGAIN : Number.POSITIVE_INFINITY;
    this.results.delete(id);
    this.results.set(id, { status, until });
    const oldest = first(this.results);
    if (oldest && this.results.size > REMEMBERED) this.results.delete(oldest[0]);
    for (const listener of this.listeners.get(id) ?? []) listener(status);
    this.listeners.delete(id);
  }
}

function first<V>(map: ReadonlyMap<string, V>): [string, V] | undefined {
  for (const entry of map) return entry;
  return undefined;
}
