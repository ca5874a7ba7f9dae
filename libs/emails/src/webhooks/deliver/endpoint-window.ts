/** Limit of concurrent requests to one endpoint, and the initial limit for an unknown one. */
export const MAX_CONCURRENT = 10;
const FIRST = 2;
/** An answer after this time is late. Milliseconds. */
const LATE = 5_000;
/** Limit of remembered webhooks. */
const REMEMBERED = 10_000;

/**
 * Knowledge about an endpoint: its last answer was in time; it was late, or missing; there was none yet. One that is not
 * known must not wait for those that hang.
 */
export type Responsiveness = 'responsive' | 'doubtful' | 'unknown';

/** How a request ended. */
export interface RequestEnd {
  /** Milliseconds. */
  duration: number;
  succeeded: boolean;
}

/**
 * Limit of concurrent requests to one endpoint. It adapts to their results as TCP's congestion window does (RFC 5681):
 * one more for each success, half after a failure, one after a late or missing answer.
 */
export class EndpointWindow {
  private size = FIRST;
  private wasLate = false;
  private endedAt: number | undefined;
  /** Start times of the requests in progress, the oldest first. */
  private readonly running = new Set<{ began: number }>();

  constructor(
    readonly endpoint: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Number of requests that may start now. */
  get room(): number {
    return Math.max(0, this.size - this.running.size);
  }

  /** A request in progress that is late makes it doubtful. */
  get responsiveness(): Responsiveness {
    const [oldest] = this.running;
    const isLate = oldest !== undefined && this.now() - Math.max(oldest.began, this.endedAt ?? 0) >= LATE;
    if (this.wasLate || isLate) return 'doubtful';
    return this.endedAt === undefined ? 'unknown' : 'responsive';
  }

  /** @returns the function to call when the request ended; without an argument if nothing was sent */
  begin(): (end?: RequestEnd) => void {
    const request = { began: this.now() };
    this.running.add(request);
    return (end) => {
      this.running.delete(request);
      if (end) this.judge(end);
    };
  }

  private judge({ duration, succeeded }: RequestEnd): void {
    this.endedAt = this.now();
    this.wasLate = duration >= LATE;
    if (this.wasLate) this.size = 1;
    else this.size = succeeded ? Math.min(MAX_CONCURRENT, this.size + 1) : Math.max(1, Math.floor(this.size / 2));
  }
}

/** This process's knowledge of the endpoints that it has called. */
export class EndpointWindows {
  /** By webhook, the least recently used first. */
  private readonly windows = new Map<string, EndpointWindow>();

  /** A webhook with a new endpoint starts again. */
  of(webhookId: string, endpoint: string): EndpointWindow {
    const known = this.windows.get(webhookId);
    const window = known?.endpoint === endpoint ? known : new EndpointWindow(endpoint);
    this.windows.delete(webhookId);
    this.windows.set(webhookId, window);
    const [oldest] = this.windows.keys();
    if (this.windows.size > REMEMBERED && oldest !== undefined) this.windows.delete(oldest);
    return window;
  }

  responsiveness(webhookId: string): Responsiveness {
    return this.windows.get(webhookId)?.responsiveness ?? 'unknown';
  }
}
