import { createHash, type Hash } from 'node:crypto';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const LINE_END = Buffer.from('\r\n');

/**
 * Hash of a body in relaxed form (RFC 6376 section 3.4.4), which gets the body in pieces and keeps none of them: blanks
 * become one space, and none before a line end; empty lines at the end do not count.
 */
export class RelaxedBody {
  private readonly hash: Hash;
  /** The hash before the line ends that came last: they may be the end of the body. */
  private beforeLineEnds: Hash | undefined;
  private isEmpty = true;
  /** Blanks came that are not hashed yet: they do not count before a line end. */
  private hasBlank = false;
  /** A CR came that is not hashed yet: without an LF it is an ordinary character. */
  private hasCr = false;

  constructor(algorithm = 'sha256') {
    this.hash = createHash(algorithm);
  }

  /** Takes the next bytes. Its time is about that of copying and hashing them. */
  update(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.hasBlank || bytes.includes(SPACE) || bytes.includes(TAB)) this.updateWithBlanks(bytes);
    else this.updateAsIs(bytes);
  }

  /** The hash of the whole, in base64. Called once. */
  digest(): string {
    if (this.hasCr) this.data(Buffer.from(this.hasBlank ? ' \r' : '\r'));
    const whole = this.beforeLineEnds ?? this.hash;
    if (!this.isEmpty) whole.update(LINE_END);
    return whole.digest('base64');
  }

  /** Bytes without blanks, such as lines in base64: only the line ends at their end are looked at. */
  private updateAsIs(bytes: Buffer): void {
    let start = 0;
    if (this.hasCr) {
      this.hasCr = false;
      if (bytes[0] === LF) {
        this.lineEnds(LINE_END);
        start = 1;
      } else {
        this.data(Buffer.from('\r'));
      }
    }
    let end = bytes.length;
    const endsInCr = end > start && bytes[end - 1] === CR;
    if (endsInCr) end--;
    const last = end;
    while (end - start >= 2 && bytes[end - 1] === LF && bytes[end - 2] === CR) end -= 2;
    if (end > start) this.data(bytes.subarray(start, end));
    if (last > end) this.lineEnds(bytes.subarray(end, last));
    this.hasCr = endsInCr;
  }

  private updateWithBlanks(bytes: Buffer): void {
    // A blank and a CR may be left from the piece before.
    const out = Buffer.allocUnsafe(bytes.length + 2);
    let to = 0;
    let afterData = 0;
    let { hasBlank, hasCr } = this;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (hasCr) {
        hasCr = false;
        if (byte === LF) {
          hasBlank = false;
          out[to++] = CR;
          out[to++] = LF;
          continue;
        }
        if (hasBlank) out[to++] = SPACE;
        hasBlank = false;
        out[to++] = CR;
        afterData = to;
      }
      if (byte === SPACE || byte === TAB) hasBlank = true;
      else if (byte === CR) hasCr = true;
      else {
        if (hasBlank) out[to++] = SPACE;
        hasBlank = false;
        out[to++] = byte;
        afterData = to;
      }
    }
    if (afterData > 0) this.data(out.subarray(0, afterData));
    if (to > afterData) this.lineEnds(out.subarray(afterData, to));
    this.hasBlank = hasBlank;
    this.hasCr = hasCr;
  }

  private data(bytes: Buffer): void {
    this.beforeLineEnds = undefined;
    this.isEmpty = false;
    this.hasBlank = false;
    this.hash.update(bytes);
  }

  private lineEnds(bytes: Buffer): void {
    this.beforeLineEnds ??= this.hash.copy();
    this.hasBlank = false;
    this.hash.update(bytes);
  }
}
