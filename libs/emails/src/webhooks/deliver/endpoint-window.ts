/** Requests to one endpoint at the same time: at most, and to one of which nothing is known. */
export const MOST_AT_ONCE = 10;
const FIRST = 2;
/** After which an answer is late. Milliseconds. */
const LATE = 5_000;
/** Webhooks that are remembered. */
const REMEMBERED = 10_000;

/** How a request ended. */
export interface RequestEnd {
  /** Milliseconds. */
  duration: number;
  succeeded: boolean;
}

/**
 * How many requests one endpoint gets at the same time, which follows what comes of them as the window of TCP does (RFC
 * 5681): one more for each success, half as many after a failure, one after an answer that was late or did not come.
 */
export class EndpointWindow {
  private size = FIRST;
  private wasLate = false;
  private endedAt: number | undefined;
  /** When each request that is under way began, the oldest first. */
  private readonly underway = new Set<{ began: number }>();

  constructor(
    readonly endpoint: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Requests that may begin now. */
  get room(): number {
    return Math.max(0, this.size - this.underway.size);
  }

  /** Whether its last answer was not late, and no other has been waited for as long since. */
  get answers(): boolean {
    if (this.endedAt === undefined || this.wasLate) return false;
    const [oldest] = this.underway;
    return !oldest || this.now() - Math.max(oldest.began, this.endedAt) < LATE;
  }

  /** @returns what is called when the request ended: without an end where nothing was sent */
  begin(): (end?: RequestEnd) => void {
    const request = { began: this.now() };
    this.underway.add(request);
    return (end) => {
      this.underway.delete(request);
      if (end) this.judge(end);
    };
  }

  private judge({ duration, succeeded }: RequestEnd): void {
    this.endedAt = this.now();
    this.wasLate = duration >= LATE;
    if (this.wasLate) this.size = 1;
    else this.size = succeeded ? Math.min(MOST_AT_ONCE, this.size + 1) : Math.max(1, Math.floor(this.size / 2));
  }
}

/** What this process knows of the endpoints it has called. */
export class EndpointWindows {
  /** By webhook, the one that was asked for longest ago first. */
  private readonly windows = new Map<string, EndpointWindow>();

  /** A webhook that leads elsewhere by now begins again. */
  of(webhookId: string, endpoint: string): EndpointWindow {
    const known = this.windows.get(webhookId);
    const window = known?.endpoint === endpoint ? known : new EndpointWindow(endpoint);
    this.windows.delete(webhookId);
    this.windows.set(webhookId, window);
    const [oldest] = this.windows.keys();
    if (this.windows.size > REMEMBERED && oldest !== undefined) this.windows.delete(oldest);
    return window;
  }

  /** Whether it is known to answer. */
  answers(webhookId: string): boolean {
    return this.windows.get(webhookId)?.answers ?? false;
  }
}
