/** Lets a set number of tasks run at the same time; the others wait in line. */
export class Slots {
  private readonly line = new Set<() => void>();

  constructor(private free: number) {}

  /**
   * @param patience milliseconds to wait for a slot
   * @throws Error when there was none in time
   */
  async run<T>(task: () => Promise<T>, patience: number): Promise<T> {
    await this.take(patience);
    try {
      return await task();
    } finally {
      this.giveBack();
    }
  }

  private async take(patience: number): Promise<void> {
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
        reject(new Error('Too many tasks are running.'));
      }, patience);
      this.line.add(enter);
    });
  }

  private giveBack(): void {
    const [next] = this.line;
    if (next === undefined) {
      this.free++;
      return;
    }
    this.line.delete(next);
    next();
  }
}
