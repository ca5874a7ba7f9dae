import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type DkimStatus, type SignatureTask, UNKNOWN } from './signature-check.js';

/** Limit of its heap. Megabytes. */
const MEMORY = 256;
/** Time limit of one message, with its look-ups. Milliseconds. */
const PATIENCE = 10_000;
/** Time after which an idle thread ends. Milliseconds. */
const IDLE = 10_000;
const PROGRAM = new URL('./signature.worker.js', import.meta.url);

/** Verifies one message at a time in a thread, which starts at the first and ends when idle. */
export class SignatureThread {
  private thread: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param program the thread's program, with these options: for tests */
  constructor(
    private readonly program = PROGRAM,
    private readonly options: WorkerOptions = {},
    private readonly patience = PATIENCE,
  ) {}

  /** Callers wait for the last one before the next. `UNKNOWN` for a message that exceeds a limit. */
  async run(task: SignatureTask): Promise<DkimStatus> {
    clearTimeout(this.timer);
    this.thread ??= this.start();
    const { thread } = this;
    thread.ref();
    const result = await new Promise<DkimStatus | undefined>((resolve) => {
      const fail = () => {
        if (this.thread === thread) this.thread = undefined;
        resolve(undefined);
      };
      this.timer = setTimeout(fail, this.patience);
      thread.removeAllListeners().on('message', resolve).on('error', fail).on('exit', fail);
      thread.postMessage(task);
    });
    clearTimeout(this.timer);
    if (!result) {
      void thread.terminate();
      return UNKNOWN;
    }
    thread.unref();
    this.timer = setTimeout(() => this.stop(), IDLE).unref();
    return result;
  }

  stop(): void {
    clearTimeout(this.timer);
    const { thread } = this;
    this.thread = undefined;
    void thread?.terminate();
  }

  private start(): Worker {
    const limits = { resourceLimits: { maxOldGenerationSizeMb: MEMORY }, stdout: true, stderr: true };
    const thread = new Worker(this.program, { ...limits, ...this.options });
    thread.stdout.resume();
    thread.stderr.resume();
    return thread;
  }
}
