import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { nextTurn } from './slices.js';

/** Time after which an idle thread ends. Milliseconds. */
const IDLE = 10_000;

/** Time after which a thread is tried again when none could be started. Milliseconds. */
const AGAIN = 60_000;

/** A thread, and its limits. */
export interface ThreadRules<Task, Result> {
  /** Its program: answers each message, a task, with one message, the result. */
  program: URL;
  /** Its purpose, for the log, such as `to convert html`. */
  purpose: string;
  /** Limit of its heap. Megabytes. */
  memory: number;
  /** Time limit of one task. Milliseconds. */
  patience: number;
  /** Does a task in the event loop, where no thread can be started: for example in a single-file bundle. */
  here: (task: Task) => Result | Promise<Result>;
  /** Further options of the thread: for tests. */
  options?: WorkerOptions;
  /** Milliseconds of a steady clock: for tests. */
  now?: () => number;
}

/** A task took more time or memory than it may. */
export class ThreadLimitError extends Error {
  override readonly name = 'ThreadLimitError';
}

/**
 * Does tasks of strangers' content in a thread, which starts at the first task and ends when idle, so that no content can
 * block or end the process. Nothing that it prints reaches the output of the process.
 */
export class WorkThread<Task, Result> {
  private readonly logger = new Logger(WorkThread.name);
  private thread: Worker | undefined;
  /** True if a thread has done something. */
  private hasThreads = false;
  /** Until then no thread is tried: none could be started. */
  private missingUntil = Number.NEGATIVE_INFINITY;
  private hasWarned = false;
  private readonly now: () => number;
  private current: { resolve(result: Result): void; reject(error: Error): void } | undefined;
  /** Ends the thread when a task takes too long, or after idle time. */
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly rules: ThreadRules<Task, Result>) {
    this.now = rules.now ?? (() => performance.now());
  }

  /** True for a minute after no thread could be started. */
  get isMissing(): boolean {
    return this.now() < this.missingUntil;
  }

  /**
   * Does a task. Callers wait for the last one before the next.
   *
   * @throws ThreadLimitError when it exceeds a limit; other errors when it ends the thread
   */
  async run(task: Task): Promise<Result> {
    if (!this.isMissing) {
      try {
        return await this.inThread(task);
      } catch (error) {
        // A task that ends even the first thread must not get the event loop.
        if (this.hasThreads || error instanceof ThreadLimitError) throw error;
        this.missingUntil = this.now() + AGAIN;
        this.warn(error as Error);
      }
    }
    await nextTurn();
    return this.rules.here(task);
  }

  /** Once: where threads cannot be started at all, a warning a minute says nothing new. */
  private warn({ name }: Error): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(`No thread can be started ${this.rules.purpose} (${name}): large tasks delay other work.`);
  }

  private inThread(task: Task): Promise<Result> {
    clearTimeout(this.timer);
    return new Promise((resolve, reject) => {
      this.current = { resolve, reject };
      this.timer = setTimeout(() => this.fail(new ThreadLimitError('It took too long.')), this.rules.patience);
      try {
        this.thread ??= this.start();
        this.thread.ref();
        this.thread.postMessage(task);
      } catch (error) {
        this.fail(error as Error);
      }
    });
  }

  private start(): Worker {
    const { program, memory, options } = this.rules;
    const thread = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: memory },
      stdout: true,
      stderr: true,
      ...options,
    });
    thread.stdout.resume();
    thread.stderr.resume();
    const failed = (error: Error) => {
      if (thread === this.thread) this.fail(error);
    };
    thread.on('message', (result: Result) => {
      if (thread === this.thread) this.succeed(result);
    });
    thread.on('error', (error: Error & { code?: unknown }) =>
      failed(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError('It took too much memory.') : error),
    );
    thread.on('exit', () => failed(new Error('The thread ended.')));
    return thread;
  }

  private succeed(result: Result): void {
    this.hasThreads = true;
    clearTimeout(this.timer);
    this.thread?.unref();
    this.timer = setTimeout(() => this.end(), IDLE).unref();
    this.current?.resolve(result);
    this.current = undefined;
  }

  private fail(error: Error): void {
    clearTimeout(this.timer);
    this.end();
    this.current?.reject(error);
    this.current = undefined;
  }

  private end(): void {
    const { thread } = this;
    this.thread = undefined;
    void thread?.terminate();
  }
}
