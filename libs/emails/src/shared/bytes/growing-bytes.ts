import { allocateBytes } from './large-buffer.js';

const FIRST_SIZE = 64_000;
/** Bytes up to which it grows step by step. */
const STEPS = 2_000_000;
/** Bytes that it has beyond, for as long as they are enough: `allocateBytes` has no fewer addresses for any that is large. */
const LARGE_SIZE = 34_000_000;

/**
 * Bytes of unknown number that come in pieces, in one Buffer. Pieces are copied as they come: kept as they are, a body
 * sent byte by byte would cost a hundred times its size. Beyond two megabytes it grows in few steps, since memory that is
 * never written to costs nothing but that V8 counts it; one of announced length has its final size at once.
 */
export class GrowingBytes {
  size = 0;
  private buffer: Buffer = Buffer.alloc(0);

  /** @param most bytes that there can be; `announced` when that is how many there will be */
  constructor(
    private readonly most: number,
    private readonly announced = false,
  ) {}

  /** Bytes that are all there, in their own memory. */
  static of(bytes: Buffer): GrowingBytes {
    const all = new GrowingBytes(bytes.length);
    all.buffer = bytes;
    all.size = bytes.length;
    return all;
  }

  /** @throws RangeError when it were more than there can be */
  add(piece: Buffer): void {
    const end = this.size + piece.length;
    if (end > this.most) throw new RangeError('There are too many bytes.');
    if (end > this.buffer.length) this.grow(end);
    piece.copy(this.buffer, this.size);
    this.size = end;
  }

  /** What has come so far. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  /** Takes out those from `start` to `end`, in the place of which those behind them move. */
  cut(start: number, end: number): void {
    this.buffer.copyWithin(start, end, this.size);
    this.size -= end - start;
  }

  private grow(size: number): void {
    const larger = allocateBytes(Math.min(this.most, this.nextSize(size)));
    this.bytes.copy(larger);
    this.buffer = larger;
  }

  private nextSize(size: number): number {
    const next = Math.max(this.announced ? STEPS : FIRST_SIZE, size, this.buffer.length * 2);
    if (next <= STEPS) return next;
    return this.announced || size > LARGE_SIZE ? this.most : LARGE_SIZE;
  }
}
