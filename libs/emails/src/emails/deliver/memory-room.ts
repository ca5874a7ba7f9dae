/** How long a content waits for room, in milliseconds. */
const PATIENCE = 1_000;

/** Bounds the bytes of large contents in memory at the same time. Who finds no room in time comes again later. */
export class MemoryRoom {
  private used = 0;
  /** Who waits for room, in order of arrival. */
  private readonly waiting = new Set<{ bytes: number; admit: () => void }>();

  /** @param total bytes; one content larger than that is let in alone */
  constructor(private readonly total: number) {}

  /** Resolves with the function that gives the bytes back, or with undefined when there was no room for them in time. */
  async enter(bytes: number): Promise<(() => void) | undefined> {
    if (this.waiting.size > 0 || !this.take(bytes)) {
      if (!(await this.admitted(bytes))) return undefined;
    }
    return () => this.giveBack(bytes);
  }

  private take(bytes: number): boolean {
    if (this.used > 0 && this.used + bytes > this.total) return false;
    this.used += bytes;
    return true;
  }

  private admitted(bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter = {
        bytes,
        admit: () => {
          clearTimeout(timer);
          this.waiting.delete(waiter);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        this.waiting.delete(waiter);
        this.admitWaiting();
        resolve(false);
      }, PATIENCE);
      this.waiting.add(waiter);
    });
  }

  private giveBack(bytes: number): void {
    this.used -= bytes;
    this.admitWaiting();
  }

  private admitWaiting(): void {
    for (const { bytes, admit } of this.waiting) {
      if (!this.take(bytes)) return;
      admit();
    }
  }
}
