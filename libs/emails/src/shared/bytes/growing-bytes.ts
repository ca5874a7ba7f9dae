import { allocateBytes } from './large-buffer.js';

const FIRST_SIZE = 64_000;
/** Size up to which it grows step by step. Bytes. */
const STEPS = 2_000_000;
/**
 * Size after that, as long as it suffices: `allocateBytes` never reserves fewer addresses for a large buffer. Bytes.
 */
const LARGE_SIZE = 34_000_000;

/**
 * Collects pieces of unknown total length in one Buffer. Pieces are copied on arrival: a list of pieces would cost a
 * hundred times the size of a body sent byte by byte. Beyond two megabytes it grows in few steps, since memory that is
 * never written costs nothing except that V8 counts it; a body of announced length gets its final size at once.
 */
export class GrowingBytes {
  size = 0;
  private buffer: Buffer = Buffer.alloc(0);

  /** @param limit limit in bytes; `announced` when it is the exact length */
  constructor(
    private readonly limit: number,
    private readonly announced = false,
  ) {}

  /** Wraps complete bytes in their own memory. */
  static of(bytes: Buffer): GrowingBytes {
    const all = new GrowingBytes(bytes.length);
    all.buffer = bytes;
    all.size = bytes.length;
    return all;
  }

  /** @throws RangeError above the limit */
  add(piece: Buffer): void {
    const end = this.size + piece.length;
    if (end > this.limit) throw new RangeError('There are too many bytes.');
    if (end > this.buffer.length) this.grow(end);
    piece.copy(this.buffer, this.size);
    this.size = end;
  }

  /** The bytes so far. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  /** Removes the bytes from `start` to `end`, and moves the following ones forward. */
  cut(start: number, end: number): void {
    this.buffer.copyWithin(start, end, this.size);
    this.size -= end - start;
  }

  private grow(size: number): void {
    const larger = allocateBytes(Math.min(this.limit, this.nextSize(size)));
    this.bytes.copy(larger);
    this.buffer = larger;
  }

  private nextSize(size: number): number {
    const next = Math.max(this.announced ? STEPS : FIRST_SIZE, size, this.buffer.length * 2);
    if (next <= STEPS) return next;
    return this.announced || size > LARGE_SIZE ? this.limit : LARGE_SIZE;
  }
}
