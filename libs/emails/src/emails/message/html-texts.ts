import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { folder } from '#emails-folder';
import { FairLine } from '../../shared/work/fair-line.js';
import { nextTurn } from '../../shared/work/slices.js';
import { hasMoreTags, htmlToText, MAX_LENGTH } from './html-text.js';

/** Limits of html that the event loop converts: the worst of it takes ten milliseconds. */
const SHORT = { length: 16_000, tags: 300 };
/** Time per turn of the event loop after which each further conversion gets a turn of its own. Milliseconds. */
const TURN = 5;
/** Time limit of one conversion. Milliseconds. */
const PATIENCE = 30_000;
/** Time after which an idle thread ends. Milliseconds. */
const IDLE = 10_000;
/** Memory limit of the thread. Megabytes. */
const MEMORY = 256;
const PROGRAM = new URL('emails/message/html-text.worker.js', folder);

interface Waiter {
  owner: string;
  html: string;
  resolve(text: string): void;
  reject(error: Error): void;
}

/**
 * Converts html into text parts. Longer html is converted in a thread, which starts on demand, so that it does not
 * block the event loop. Owners take turns, so that each waits for at most one conversion of every other owner.
 */
export class HtmlTexts {
  private readonly logger = new Logger(HtmlTexts.name);
  private readonly line = new FairLine<Waiter>();
  private thread: Worker | undefined;
  /** True if a thread has converted something; false once none could be started. */
  private hasThreads: boolean | undefined;
  /** The task whose html is being converted. */
  private current: Waiter | undefined;
  /** Time of conversions in this turn of the event loop. Milliseconds. */
  private spent = 0;
  /** Ends the thread when a conversion takes too long, or after idle time. */
  private timer: NodeJS.Timeout | undefined;

  /** @param program the thread's program, with these options: for tests */
  constructor(
    private readonly program = PROGRAM,
    private readonly options: WorkerOptions = {},
  ) {}

  /** Rejects when the html cannot be converted. */
  of(owner: string, html: string): string | Promise<string> {
    if (this.hasThreads === false || isShort(html)) return this.spent < TURN ? this.here(html) : this.hereLater(html);
    return new Promise((resolve, reject) => {
      this.line.add(owner, { owner, html: html.slice(0, MAX_LENGTH), resolve, reject });
      if (!this.current) this.next();
    });
  }

  private here(html: string): string {
    if (this.spent === 0) setImmediate(() => (this.spent = 0));
    const begun = performance.now();
    const text = htmlToText(html);
    this.spent += performance.now() - begun;
    return text;
  }

  private async hereLater(html: string): Promise<string> {
    await nextTurn();
    return this.here(html);
  }

  private next(): void {
    clearTimeout(this.timer);
    const [waiter] = this.line.firsts();
    this.current = waiter;
    if (waiter) {
      this.line.serve(waiter.owner, waiter);
      this.convert(waiter);
      return;
    }
    this.thread?.unref();
    this.timer = setTimeout(() => this.end(), IDLE).unref();
  }

  private convert({ html }: Waiter): void {
    if (this.hasThreads === false) {
      setImmediate(() => this.settle(htmlToText(html)));
      return;
    }
    this.timer = setTimeout(() => this.failed(new Error('The html took too long.')), PATIENCE);
    try {
      this.thread ??= this.start();
      this.thread.ref();
      this.thread.postMessage(html);
    } catch (error) {
      this.failed(error as Error);
    }
  }

  private start(): Worker {
    const thread = new Worker(this.program, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
      ...this.options,
    });
    const failed = (error: Error) => {
      if (thread === this.thread) this.failed(error);
    };
    thread.on('message', (text: string) => {
      this.hasThreads = true;
      if (thread === this.thread) this.settle(text);
    });
    thread.on('error', failed);
    thread.on('exit', () => failed(new Error('The thread ended.')));
    return thread;
  }

  private settle(text: string): void {
    this.current?.resolve(text);
    this.next();
  }

  /**
   * The next waiting task gets a new thread. Where none can be started, for example in a single-file bundle, the event
   * loop converts everything.
   */
  private failed(error: Error): void {
    const { current } = this;
    this.end();
    if (this.hasThreads || !current) {
      current?.reject(error);
      this.next();
      return;
    }
    this.hasThreads = false;
    this.logger.warn(`No thread can be started to convert html to text (${error.name}): large html delays other work.`);
    this.convert(current);
  }

  private end(): void {
    const { thread } = this;
    this.thread = undefined;
    void thread?.terminate();
  }
}

function isShort(html: string): boolean {
  return html.length <= SHORT.length && !hasMoreTags(html, SHORT.tags);
}
