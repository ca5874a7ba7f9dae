/**
 * Interval of full polls, in case due times were changed by hand, in milliseconds; and a factor of the duration of such
 * a poll, so that polls never take more than a hundredth of the time.
 */
const ROUND = 5_000;
const SHARE = 100;
/** Limit of webhooks without pending events that are kept in memory. */
const MAX = 10_000;

/** A row of `FIND_ALL_WORK` and `FIND_WORK`. The webhook is null if there is none. */
export interface WorkRow {
  id: string | null;
  /** Due time of its first remaining event, but not later than now, in PostgreSQL's format; null without one. */
  dueFrom: string | null;
  isDue: boolean;
  /** Number of the newest event of all; null without any. */
  newest: string | null;
  /** There may be more new events than this poll covered. */
  mayHaveMore: boolean;
  /** Any webhook has a pending replay. */
  hasReplays: boolean;
}

/** A webhook with pending events. */
interface Position {
  dueFrom: string;
  isPending: boolean;
}

/**
 * Webhooks with pending events as of the last poll, and the position of the next event in each log. A poll finds all
 * new events because the numbers in logs are in the order of commits.
 */
export class DueWebhooks {
  private readonly positions = new Map<string, Position>();
  private newest = '0';
  /** Time until which the knowledge covers all webhooks. */
  private knownUntil = 0;

  get isKnown(): boolean {
    return performance.now() < this.knownUntil;
  }

  /** Starts again with the result of a full poll. @param took duration of that poll in milliseconds */
  begin(rows: readonly WorkRow[], took: number): void {
    if (this.positions.size > MAX) this.positions.clear();
    for (const position of this.positions.values()) position.isPending = false;
    this.note(rows);
    this.moveTo(rows[0]?.newest ?? null);
    this.knownUntil = performance.now() + Math.max(ROUND, SHARE * took);
  }

  /** Applies the result of a poll. */
  note(rows: readonly WorkRow[]): void {
    for (const { id, dueFrom } of rows) {
      if (id === null) continue;
      const known = this.positions.get(id);
      if (dueFrom !== null) this.positions.set(id, { dueFrom, isPending: true });
      else if (known) known.isPending = false;
    }
  }

  /** A poll covered all events up to the newest. */
  moveTo(newest: string | null): void {
    this.newest = newest ?? '0';
  }

  /** Discards all knowledge. */
  forget(): void {
    this.knownUntil = 0;
    this.positions.clear();
  }

  /** Values of `FIND_WORK` for up to `limit` webhooks after this one. */
  valuesAfter(webhookId: string, limit: number): [newest: string, ids: string[], dueFrom: string[]] {
    const pending = [...this.positions].filter(([id, { isPending }]) => isPending && id > webhookId);
    const page = pending.sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, limit);
    return [this.newest, page.map(([id]) => id), page.map(([, { dueFrom }]) => dueFrom)];
  }

  /** Time before which no event of a webhook is due; undefined if unknown. */
  dueFrom(webhookId: string): string | undefined {
    return this.positions.get(webhookId)?.dueFrom;
  }
}
