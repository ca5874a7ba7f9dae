/** Lets a set number of tasks run at the same time; the others wait in line, as long as it takes. */
export class Semaphore {
  private readonly line: (() => void)[] = [];

  constructor(private free: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.line.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.free++;
    }
  }
}
