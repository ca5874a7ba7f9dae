import { ApiError } from '../errors/api-error.js';

const MAX_WAITING = 100;
const MAX_WAIT = 30_000;

/**
 * Bounds the bytes that large bodies take in memory at the same time. Who finds no room waits, unread, in order of
 * arrival.
 */
export class ByteBudget {
  private used = 0;
  private readonly waiting: { bytes: number; enter: () => void }[] = [];

  /** @param total bytes; one body larger than that is let in alone */
  constructor(private readonly total: number) {}

  /**
   * Resolves, with the function that gives the bytes back, when there is room.
   *
   * @throws ApiError 503 when there is none within half a minute, or when a hundred are waiting already
   */
  async take(bytes: number): Promise<() => void> {
    if (this.waiting.length > 0 || !this.fits(bytes)) await this.wait(bytes);
    else this.used += bytes;
    return () => {
      this.used -= bytes;
      this.admit();
    };
  }

  private wait(bytes: number): Promise<void> {
    if (this.waiting.length >= MAX_WAITING) throw busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        reject(busy());
      }, MAX_WAIT);
      const waiter = {
        bytes,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.waiting.push(waiter);
    });
  }

  private admit(): void {
    for (let next = this.waiting[0]; next && this.fits(next.bytes); next = this.waiting[0]) {
      this.waiting.shift();
      this.used += next.bytes;
      next.enter();
    }
  }

  private fits(bytes: number): boolean {
    return this.used === 0 || this.used + bytes <= this.total;
  }
}

function busy(): ApiError {
  return new ApiError(503, 'service_unavailable', 'Too many large requests at once. Nothing was accepted.', {
    'retry-after': '5',
  });
}
