import { ApiError } from '../errors/api-error.js';

/** How many may wait, of all and of one owner. */
const WAITING = { all: 100, each: 25 };
const MAX_WAIT = 30_000;

interface Waiter {
  bytes: number;
  owner: string;
  enter: () => void;
}

/**
 * Bounds the bytes that large bodies take in memory at the same time. Who finds no room waits, unread, in order of
 * arrival. One owner never has more than half of it while others could use it: whoever sends or reads slowly holds up
 * himself.
 */
export class ByteBudget {
  private used = 0;
  private readonly held = new Map<string, number>();
  private readonly waiting: Waiter[] = [];

  /** @param total bytes; one body larger than that is let in alone, and one larger than half of it as its owner's only */
  constructor(
    private readonly total: number,
    private readonly limits = WAITING,
  ) {}

  /**
   * Resolves, with the function that gives the bytes back, when there is room.
   *
   * @param owner whose bytes they are
   * @throws ApiError 503 when there is none within half a minute, or when too many are waiting already
   */
  async take(bytes: number, owner: string): Promise<() => void> {
    const mustWait = this.waiting.some((waiter) => this.isWithinShare(waiter)) || !this.fits({ bytes, owner });
    if (mustWait) await this.wait(bytes, owner);
    else this.enter({ bytes, owner });
    return () => {
      this.leave(bytes, owner);
      this.admit();
    };
  }

  private wait(bytes: number, owner: string): Promise<void> {
    const ofOwner = this.waiting.filter((waiter) => waiter.owner === owner).length;
    if (this.waiting.length >= this.limits.all || ofOwner >= this.limits.each) throw busy();
    return new Promise((resolve, reject) => {
      const waiter = {
        bytes,
        owner,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        reject(busy());
        // Smaller ones behind it may fit.
        this.admit();
      }, MAX_WAIT);
      this.waiting.push(waiter);
    });
  }

  /** Lets in whoever fits, in order; an owner who has his share is passed over, others never are. */
  private admit(): void {
    for (let at = 0; at < this.waiting.length; ) {
      const waiter = this.waiting[at] as Waiter;
      if (this.fits(waiter)) {
        this.waiting.splice(at, 1);
        this.enter(waiter);
        waiter.enter();
      } else if (this.isWithinShare(waiter)) {
        return;
      } else {
        at++;
      }
    }
  }

  private fits(wanted: Pick<Waiter, 'bytes' | 'owner'>): boolean {
    return (this.used === 0 || this.used + wanted.bytes <= this.total) && this.isWithinShare(wanted);
  }

  private isWithinShare({ bytes, owner }: Pick<Waiter, 'bytes' | 'owner'>): boolean {
    const held = this.held.get(owner) ?? 0;
    return held === 0 || held + bytes <= this.total / 2;
  }

  private enter({ bytes, owner }: Pick<Waiter, 'bytes' | 'owner'>): void {
    this.used += bytes;
    this.held.set(owner, (this.held.get(owner) ?? 0) + bytes);
  }

  private leave(bytes: number, owner: string): void {
    this.used -= bytes;
    const left = (this.held.get(owner) ?? 0) - bytes;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
  }
}

function busy(): ApiError {
  return new ApiError(503, 'service_unavailable', 'Too many large requests at once. Nothing was accepted.', {
    'retry-after': '5',
  });
}
