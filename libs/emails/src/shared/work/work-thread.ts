import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { nextTurn } from './slices.js';
import type { ThreadMessage } from './thread-program.js';

/** Time after which an idle thread ends. Milliseconds. */
const IDLE = 10_000;

/** Time after which a thread is tried again when none could be started. Milliseconds. */
const AGAIN = 60_000;

/** A thread, and its limits. */
export interface ThreadRules<Task, Result> {
  /** Its program: calls `doTasks`. */
  program: URL;
  /** Its purpose, for the log, such as `to convert html`. */
  purpose: string;
  /** Limit of its heap. Megabytes. */
  memory: number;
  /** Time limit of one task. Milliseconds. */
  patience: number;
  /** Does a task in the event loop, where no thread can be started: for example in a single-file bundle. */
  here: (task: Task) => Result | Promise<Result>;
  /** The consequence of that, for the log, such as `large reports delay other work`. */
  otherwise: string;
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
  /** Until then no thread is tried: none could be started. */
  private missingUntil = Number.NEGATIVE_INFINITY;
  private hasWarned = false;
  private readonly now: () => number;
  /** Waits for the next message of the thread. */
  private current: { resolve(message: ThreadMessage<Result>): void; reject(error: Error): void } | undefined;
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
   * @throws ThreadLimitError when it exceeds a limit; other errors when it fails or ends the thread
   */
  async run(task: Task): Promise<Result> {
    const thread = this.isMissing ? undefined : await this.ready();
    if (!thread) {
      await nextTurn();
      return this.rules.here(task);
    }
    const answer = await this.message(() => {
      thread.ref();
      thread.postMessage(task);
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result as Result;
  }

  /**
   * The thread, once its program is loaded. Undefined if none can be started: only this shows it, because a task may end
   * its thread, and must not get the event loop then.
   */
  private async ready(): Promise<Worker | undefined> {
    try {
      if (!this.thread) await this.message(() => this.start());
    } catch (error) {
      this.missingUntil = this.now() + AGAIN;
      this.warn(error as Error);
    }
    return this.thread;
  }

  /** Once: where threads cannot be started at all, a warning a minute says nothing new. */
  private warn({ name }: Error): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(`No thread can be started ${this.rules.purpose} (${name}): ${this.rules.otherwise}.`);
  }

  /** The thread's next message, which this action causes. */
  private message(action: () => void): Promise<ThreadMessage<Result>> {
    clearTimeout(this.timer);
    return new Promise((resolve, reject) => {
      this.current = { resolve, reject };
      this.timer = setTimeout(() => this.fail(new ThreadLimitError('It took too long.')), this.rules.patience);
      try {
        action();
      } catch (error) {
        this.fail(error as Error);
      }
    });
  }

  private start(): void {
    const { program, memory, options } = this.rules;
    const thread = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: memory },
      stdout: true,
      stderr: true,
      ...options,
    });
    this.thread = thread;
    thread.stdout.resume();
    thread.stderr.resume();
    const failed = (error: Error) => {
      if (thread === this.thread) this.fail(error);
    };
    thread.on('message', (message: ThreadMessage<Result>) => {
      if (thread === this.thread) this.succeed(message);
    });
    thread.on('error', (error: Error & { code?: unknown }) =>
      failed(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError('It took too much memory.') : error),
    );
    thread.on('exit', () => failed(new Error('The thread ended.')));
  }

  private succeed(message: ThreadMessage<Result>): void {
    clearTimeout(this.timer);
    this.thread?.unref();
    this.timer = setTimeout(() => this.end(), IDLE).unref();
    this.current?.resolve(message);
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
