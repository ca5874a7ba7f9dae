import { processorTime } from './processor-time.mjs';
import { slowness } from './slowness.mjs';

/** Interval of checks, by which the time of a tick is underestimated. Milliseconds. */
const EVERY = 20;

/**
 * Finds ticks of the event loop that use too much processor time. A timer that is due runs in the next tick, so the
 * time between its due time and its run belongs to one tick. The clock only triggers the comparison: a process that
 * waits for a busy machine, or is stopped, uses no processor time. The limit grows with the slowness of the machine,
 * which is measured when a tick may exceed it.
 */
export class TickWatch {
  constructor(limit, work, report) {
    this.limit = limit;
    this.report = report;
    this.window = work.window();
  }

  start() {
    this.forget();
    setInterval(() => this.look(), EVERY).unref();
  }

  /** Work since the last check does not count. */
  forget() {
    this.at = performance.now();
    this.used = processorTime();
    this.window.take();
  }

  look() {
    const now = performance.now();
    const processor = processorTime();
    const during = this.window.take();
    // Without a count of this thread alone, other threads add to it.
    const used = Math.min(processor - this.used, now - this.at) - EVERY;
    this.at = now;
    this.used = processor;
    if (used > this.limit) this.compare(used, during());
  }

  compare(used, during) {
    const limit = this.limit * slowness();
    if (used > limit) this.report({ kind: 'tick', amount: Math.round(used), limit: Math.round(limit), during });
    this.forget();
  }
}
