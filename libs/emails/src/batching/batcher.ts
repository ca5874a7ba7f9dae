import { setImmediate } from 'node:timers/promises';

/**
 * Runs concurrent calls together: those that come in the same turn of the event loop, and whatever arrives while a run
 * is under way goes with the next. No timer, and no added wait when idle.
 *
 * @param run gets 1 to `maxSize` items and resolves with one result per item, in order
 * @param mayRunAlone whether, after this failure of a run of several, each item is run alone: one that can never
 * succeed then fails alone. Default: never, all of them fail.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = false;

  constructor(
    private readonly run: (items: Item[]) => Promise<readonly Result[]>,
    private readonly maxSize: number,
    private readonly mayRunAlone: (error: unknown) => boolean = () => false,
  ) {}

  /** Items that no run has taken yet. */
  get size(): number {
    return this.waiting.length;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      void this.drain();
    });
  }

  private async drain(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.waiting.length > 0) {
      await setImmediate();
      const batch = this.waiting.splice(0, this.maxSize);
      await this.settle(batch);
    }
    this.running = false;
  }

  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && this.mayRunAlone(error)) {
        for (const one of batch) await this.settle([one]);
        return;
      }
      for (const { reject } of batch) reject(error);
    }
  }
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}
