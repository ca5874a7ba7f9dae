import { ApiError } from '../errors/api-error.js';

/** Lets a set number of tasks run at the same time; the others wait in line. */
export class Slots {
  private readonly line = new Set<() => void>();

  constructor(private free: number) {}

  /**
   * @param patience milliseconds to wait for a slot
   * @throws ApiError 503 when there was none in time
   */
  async run<T>(task: () => Promise<T>, patience: number): Promise<T> {
    await this.take(patience);
    try {
      return await task();
    } finally {
      this.giveBack();
    }
  }

  /**
   * For what is not one task: whoever takes a slot gives it back.
   *
   * @throws ApiError 503 when there was none in time
   */
  async take(patience: number): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.line.delete(enter);
        reject(ApiError.busy());
      }, patience);
      this.line.add(enter);
    });
  }

  giveBack(): void {
    const [next] = this.line;
    if (next === undefined) {
      this.free++;
      return;
    }
    this.line.delete(next);
    next();
  }
}
