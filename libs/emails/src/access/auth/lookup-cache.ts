interface Entry<T> {
  result: Promise<T | null>;
  /** When the lookup began: its result was true then or later. */
  since: number;
  /** True while a newer lookup is in progress. */
  renewing: boolean;
}

export interface LookupCacheOptions {
  /** How old a result may get, counted from the start of its lookup. Milliseconds. */
  ttl: number;
  /** Limit of cached results. It applies to hits and to misses separately. */
  capacity: number;
  /** A clock that never goes back. Milliseconds. */
  now?: () => number;
}

/**
 * Caches lookups briefly. Concurrent lookups of one key share a query. An entry used in the second half of its lifetime
 * is refreshed in the background, so that no caller waits for an entry in constant use. Misses are cached separately,
 * so that a flood of guesses cannot evict entries in use. Failures are not cached.
 *
 * `lru-cache` was tried. Its `fetch` shares a lookup in progress regardless of its age, so that a revoked key would
 * keep working for as long as the database is slow, and the age of a result counts from the end of its lookup. With a
 * `ttl` of 500 ms and lookups of the same duration, it returned results that were 900 ms old.
 */
export class LookupCache<T> {
  private readonly found = new Map<string, Entry<T>>();
  private readonly absent = new Map<string, Entry<T>>();
  private readonly now: () => number;

  constructor(private readonly options: LookupCacheOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  find(key: string, lookUp: () => Promise<T | null>): Promise<T | null> {
    const now = this.now();
    const known = this.found.get(key) ?? this.absent.get(key);
    if (known !== undefined && now - known.since < this.options.ttl) {
      if (now - known.since > this.options.ttl / 2) {
        this.renew(key, known, lookUp);
      }
      return known.result;
    }
    const entry: Entry<T> = { result: lookUp(), since: now, renewing: false };
    this.absent.delete(key);
    this.keep(this.found, key, entry);
    entry.result.then(
      (result) => result === null && this.isCurrent(key, entry) && this.moveToAbsent(key, entry),
      () => this.isCurrent(key, entry) && this.found.delete(key),
    );
    return entry.result;
  }

  clear(): void {
    this.found.clear();
    this.absent.clear();
  }

  /** Replaces `entry` by a fresh result. After a failure `entry` stays until it expires. */
  private renew(key: string, entry: Entry<T>, lookUp: () => Promise<T | null>): void {
    if (entry.renewing || !this.isCurrent(key, entry)) {
      return;
    }
    entry.renewing = true;
    const renewed: Entry<T> = { since: this.now(), result: lookUp(), renewing: false };
    renewed.result.then(
      (result) => {
        if (!this.isCurrent(key, entry)) {
          return;
        }
        this.keep(this.found, key, renewed);
        if (result === null) {
          this.moveToAbsent(key, renewed);
        }
      },
      () => {},
    );
  }

  private isCurrent(key: string, entry: Entry<T>): boolean {
    return this.found.get(key) === entry;
  }

  private moveToAbsent(key: string, entry: Entry<T>): void {
    this.found.delete(key);
    this.keep(this.absent, key, entry);
  }

  /** A map remembers the order of insertion, so the first entry is the oldest. */
  private keep(entries: Map<string, Entry<T>>, key: string, entry: Entry<T>): void {
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > this.options.capacity) {
      const [oldest] = entries.keys();
      entries.delete(oldest ?? key);
    }
  }
}
