import type { GrowingBytes } from '../bytes/growing-bytes.js';

/** Kind of an array, judged by the part read so far. `other`: not of bytes. */
export type ByteArrayState = 'open' | 'whole' | 'other';

/**
 * A JSON array of whole numbers from 0 to 255, in a body that is still arriving. Its bytes overwrite its text on
 * arrival, except the first few: up to that number it may turn out to be another array, which stays unchanged.
 */
export class ByteArray {
  /** Read position. */
  at = 0;
  /** Number of its bytes. */
  count = 0;
  /** Position of its bracket, and of its first byte once it is complete. */
  start = 0;
  /** Value of the current number. */
  private value = NONE;
  private readonly first: Buffer;

  /** @param few number of bytes kept next to the text */
  constructor(
    private readonly body: GrowingBytes,
    private readonly few: number,
  ) {
    this.first = Buffer.allocUnsafe(few);
  }

  /** True if its text is overwritten, so that it must be an array of bytes. */
  get isLong(): boolean {
    return this.count > this.few;
  }

  /** @param start position of its bracket, which the first byte will replace */
  begin(start: number): void {
    this.start = start;
    this.at = start + 1;
    this.count = 0;
    this.value = NONE;
  }

  /** Continues up to `end`, and past the closing bracket when it is complete. */
  read(end: number): ByteArrayState {
    const text = this.body.bytes;
    const state = this.readNumbers(text, end);
    if (state === 'whole' && !this.isLong) this.first.copy(text, this.start, 0, this.count);
    if (this.isLong && (state === 'whole' || this.at === this.body.size)) {
      this.body.cut(this.start + this.count, this.at);
      this.at = this.start + this.count;
    }
    return state;
  }

  private readNumbers(text: Buffer, end: number): ByteArrayState {
    let { at, value } = this;
    let state: ByteArrayState = 'open';
    for (; at < end && state === 'open'; at++) {
      const byte = text[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) {
        if (value === NONE) value = byte - ZERO;
        else value = value === 0 ? OTHER : value * 10 + byte - ZERO;
        if (value > 255) state = 'other';
      } else if (byte === COMMA || byte === CLOSE) {
        if (value === NONE) state = 'other';
        else {
          this.put(text, value);
          value = NONE;
          if (byte === CLOSE) state = 'whole';
        }
      } else if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) state = 'other';
      else if (value !== NONE) value |= ENDED;
    }
    this.at = at;
    this.value = value;
    return state;
  }

  private put(text: Buffer, value: number): void {
    if (this.count < this.few) this.first[this.count] = value;
    else {
      if (this.count === this.few) this.first.copy(text, this.start);
      text[this.start + this.count] = value;
    }
    this.count++;
  }
}

const NONE = -1;
/** Above any byte, like each number that continues after white space. */
const OTHER = 256;
/** Does not change the lowest eight bits of the value, which are the ones written. */
const ENDED = 0x400;

const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const CLOSE = 0x5d;
