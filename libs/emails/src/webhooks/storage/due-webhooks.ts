/**
 * After which all webhooks are looked for again, in case somebody changed when events are due. Milliseconds; and how many times
 * as long as that look takes, so that it never takes more than a hundredth of the time.
 */
const ROUND = 5_000;
const SHARE = 100;
/** Webhooks that are kept in memory though nothing is to be sent to them. */
const MOST = 10_000;

/** A row of `FIND_ALL_WORK` and `FIND_WORK`. The webhook is null where there is none. */
export interface WorkRow {
  id: string | null;
  /** When its first event that is left is due, but not later than now, as PostgreSQL writes it; null when none is left. */
  dueFrom: string | null;
  isDue: boolean;
  /** Number of the newest event of all; null when there is none. */
  newest: string | null;
  /** There may be more than were looked at. */
  mayHaveMore: boolean;
  /** Of any webhook something is to be sent again by hand. */
  hasReplays: boolean;
}

/** A webhook with something to be sent. */
interface Place {
  dueFrom: string;
  isPending: boolean;
}

/**
 * Which webhooks have something to be sent, as the last look found it, and where the next one begins in the log of each.
 * That a look finds all that is new relies on the order of numbers in logs, which is that of commits.
 */
export class DueWebhooks {
  private readonly places = new Map<string, Place>();
  private newest = '0';
  /** Until when it is known of all webhooks. */
  private knownUntil = 0;

  get isKnown(): boolean {
    return performance.now() < this.knownUntil;
  }

  /** Begins again, with what a look for all found. @param took how long that look took, in milliseconds */
  begin(rows: readonly WorkRow[], took: number): void {
    if (this.places.size > MOST) this.places.clear();
    for (const place of this.places.values()) place.isPending = false;
    this.note(rows);
    this.moveTo(rows[0]?.newest ?? null);
    this.knownUntil = performance.now() + Math.max(ROUND, SHARE * took);
  }

  /** What a look found. */
  note(rows: readonly WorkRow[]): void {
    for (const { id, dueFrom } of rows) {
      if (id === null) continue;
      const known = this.places.get(id);
      if (dueFrom !== null) this.places.set(id, { dueFrom, isPending: true });
      else if (known) known.isPending = false;
    }
  }

  /** A look saw all up to the newest event. */
  moveTo(newest: string | null): void {
    this.newest = newest ?? '0';
  }

  /** Nothing is known any more. */
  forget(): void {
    this.knownUntil = 0;
    this.places.clear();
  }

  /** Values of `FIND_WORK` for up to `limit` webhooks behind this one. */
  valuesAfter(webhookId: string, limit: number): [newest: string, ids: string[], dueFrom: string[]] {
    const pending = [...this.places].filter(([id, { isPending }]) => isPending && id > webhookId);
    const page = pending.sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, limit);
    return [this.newest, page.map(([id]) => id), page.map(([, { dueFrom }]) => dueFrom)];
  }

  /** Before which time nothing of a webhook is due; undefined where that is not known. */
  dueFrom(webhookId: string): string | undefined {
    return this.places.get(webhookId)?.dueFrom;
  }
}
