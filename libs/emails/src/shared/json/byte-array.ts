import type { GrowingBytes } from '../bytes/growing-bytes.js';

/** What an array is, as far as it has come. `other`: not of bytes. */
export type ByteArrayState = 'open' | 'whole' | 'other';

/**
 * A JSON array of whole numbers from 0 to 255, in a body that is still coming. The bytes that it stands for take the place
 * of its text as they come, but for the first of them: as long as these are few it may prove to be another array, which
 * stays as it is.
 */
export class ByteArray {
  /** Where it is. Nothing behind that has been read. */
  at = 0;
  /** How many bytes it has. */
  count = 0;
  /** Where its bracket was, and the first of its bytes is once it is whole. */
  start = 0;
  /** Of the number that has begun. */
  private value = NONE;
  private readonly first: Buffer;

  /** @param few how many bytes are kept beside the text */
  constructor(
    private readonly body: GrowingBytes,
    private readonly few: number,
  ) {
    this.first = Buffer.allocUnsafe(few);
  }

  /** Whether its text is there no more, so that it must be an array of bytes. */
  get isLong(): boolean {
    return this.count > this.few;
  }

  /** @param start where its bracket is, which the first byte will replace */
  begin(start: number): void {
    this.start = start;
    this.at = start + 1;
    this.count = 0;
    this.value = NONE;
  }

  /** Goes on, up to `end` at most, and behind it when it is whole. */
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
/** More than any byte, as is each number that goes on behind white space. */
const OTHER = 256;
/** Leaves the value as it is in its lowest eight bits, which are those that are written. */
const ENDED = 0x400;

const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const CLOSE = 0x5d;
