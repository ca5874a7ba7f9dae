import { setTimeout as delay } from 'node:timers/promises';

interface Waiter<T> {
  key: string;
  resolve: (result: T | null) => void;
  reject: (error: unknown) => void;
}

export interface GroupedLookupOptions {
  /** Limit of keys in one lookup. */
  maxSize: number;
  /** Between the end of one lookup and the start of the next. Milliseconds. */
  pace: number;
}

/**
 * Groups concurrent lookups and runs one group after the other. The load stays at a few queries a second, and a request
 * waits only for the groups before its own.
 */
export class GroupedLookup<T> {
  private readonly waiting: Waiter<T>[] = [];
  private running = false;

  /** @param lookUp resolves to the found values, by key */
  constructor(
    private readonly lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
    private readonly options: GroupedLookupOptions,
  ) {}

  find(key: string): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, this.options.maxSize);
      try {
        const found = await this.lookUp(group.map(({ key }) => key));
        for (const { key, resolve } of group) resolve(found.get(key) ?? null);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      await delay(this.options.pace);
    }
    this.running = false;
  }
}
