import type { WorkerOptions } from 'node:worker_threads';
import { folder } from '#emails-folder';
import { FairLine } from '../../shared/work/fair-line.js';
import { nextTurn } from '../../shared/work/slices.js';
import { ThreadLimitError, WorkThread } from '../../shared/work/work-thread.js';
import { type HtmlLimits, hasMoreTags, htmlToText, LIMITS } from './html-text.js';

/** Limits of html that the event loop converts: the worst of it takes ten milliseconds. */
export const SHORT: HtmlLimits = { length: 16_000, tags: 300 };
/** Time per turn of the event loop after which each further conversion gets a turn of its own. Milliseconds. */
const TURN = 5;
/** Time limit of one conversion: the worst known one takes half a second. Milliseconds. */
const PATIENCE = 10_000;
/** Memory limit of the thread. Megabytes. */
const MEMORY = 256;
const PROGRAM = new URL('emails/message/html-text.worker.js', folder);

interface Waiter {
  owner: string;
  html: string;
  resolve(text: string): void;
  reject(error: unknown): void;
}

/**
 * Converts html into text parts. Longer html is converted in a thread, so that it does not block the event loop. Owners
 * take turns, so that each waits for at most one conversion of every other owner.
 */
export class HtmlTexts {
  private readonly line = new FairLine<Waiter>();
  private readonly thread: WorkThread<string, string>;
  /** True while the thread converts. */
  private isBusy = false;
  /** Time of conversions in this turn of the event loop. Milliseconds. */
  private spent = 0;

  /** @param program the thread's program, with these options: for tests */
  constructor(program = PROGRAM, options: WorkerOptions = {}) {
    this.thread = new WorkThread({
      program,
      purpose: 'to convert html to text',
      memory: MEMORY,
      patience: PATIENCE,
      here: shortText,
      otherwise: 'the text of long html has only its beginning',
      options,
    });
  }

  /** The text is empty for html that exceeds a limit of the thread. Rejects for html that ends the thread. */
  of(owner: string, html: string): string | Promise<string> {
    if (this.thread.isMissing || isShort(html)) return this.spent < TURN ? this.here(html) : this.hereLater(html);
    return new Promise((resolve, reject) => {
      this.line.add(owner, { owner, html: html.slice(0, LIMITS.length), resolve, reject });
      if (!this.isBusy) void this.convertAll();
    });
  }

  private here(html: string): string {
    if (this.spent === 0) setImmediate(() => (this.spent = 0));
    const begun = performance.now();
    const text = shortText(html);
    this.spent += performance.now() - begun;
    return text;
  }

  private async hereLater(html: string): Promise<string> {
    await nextTurn();
    return this.here(html);
  }

  private async convertAll(): Promise<void> {
    this.isBusy = true;
    for (let waiter = this.next(); waiter; waiter = this.next()) {
      await this.inThread(waiter.html).then(waiter.resolve, waiter.reject);
    }
    this.isBusy = false;
  }

  private async inThread(html: string): Promise<string> {
    try {
      return await this.thread.run(html);
    } catch (error) {
      // Further attempts of the email would take as long, and delay other html.
      if (error instanceof ThreadLimitError) return '';
      throw error;
    }
  }

  private next(): Waiter | undefined {
    const [waiter] = this.line.firsts();
    if (waiter) this.line.serve(waiter.owner, waiter);
    return waiter;
  }
}

/** The text of the beginning of html, for the event loop. */
function shortText(html: string): string {
  return htmlToText(html, SHORT);
}

/** True if the event loop converts this html. */
export function isShort(html: string): boolean {
  return html.length <= SHORT.length && !hasMoreTags(html, SHORT.tags);
}
