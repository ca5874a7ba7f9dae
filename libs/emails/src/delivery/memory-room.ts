/** Bounds the bytes of large contents in memory at the same time. Whoever finds no room comes again later. */
export class MemoryRoom {
  private used = 0;

  /** @param total bytes; one content larger than that is let in alone */
  constructor(private readonly total: number) {}

  /** The function that gives the bytes back; undefined when there is no room for them. */
  take(bytes: number): (() => void) | undefined {
    if (this.used > 0 && this.used + bytes > this.total) return undefined;
    this.used += bytes;
    return () => {
      this.used -= bytes;
    };
  }
}
