import { allocateBytes } from './large-buffer.js';

const FIRST_SIZE = 64_000;
/** Bytes up to which it grows step by step. */
const STEPS = 2_000_000;

/**
 * Bytes of unknown number that come in pieces, in one Buffer. Pieces are copied as they come: kept as they are, a body
 * sent byte by byte would cost a hundred times its size. Beyond two megabytes it has its final size at once, since memory
 * that is never written to costs nothing, and growing step by step would cost as much again.
 */
export class GrowingBytes {
  size = 0;
  private buffer: Buffer = Buffer.alloc(0);

  /** @param most bytes that there can be; `announced` when that is how many there will be */
  constructor(
    private readonly most: number,
    private readonly announced = false,
  ) {}

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

  private grow(size: number): void {
    const next = Math.max(this.announced ? STEPS : FIRST_SIZE, size, this.buffer.length * 2);
    const larger = allocateBytes(next > STEPS ? this.most : Math.min(this.most, next));
    this.bytes.copy(larger);
    this.buffer = larger;
  }
}
