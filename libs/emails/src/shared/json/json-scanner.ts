import type { GrowingBytes } from '../bytes/growing-bytes.js';
import { ApiError } from '../errors/api-error.js';
import { LIMITS } from '../limits.js';
import { SLICE, type Sliced } from '../work/slices.js';
import { ByteArray } from './byte-array.js';
import { leapString, walkString } from './json-spans.js';
import { notJson } from './malformed.js';

const MAX_DEPTH = LIMITS.bodyDepth.max;
/** Length from which a text is worth special treatment. Shorter ones are cheap enough. Bytes. */
const LONG = 1_024;
/**
 * Positions of files: `attachments[].content`, and `.data` of a serialised Buffer there. Maps a key to the brackets
 * around it.
 */
const FILES: Readonly<Record<string, string>> = { content: '{[{', data: '{[{{' };

/** Kind of a JSON text. */
interface JsonKind {
  /** Limit of values. Each costs up to a hundred bytes after parsing. */
  maxValues: number;
  /** Brackets around each object that may have files; undefined where there are none. */
  around: string | undefined;
}

/** An email, with ten times the values of the largest sensible one; or any other body. */
export const SINGLE: JsonKind = { maxValues: LIMITS.bodyValues.max, around: '' };
/** An array of emails: 100 with 150 addresses and 75 tags of two texts each come to 30,000 values. */
export const BATCH: JsonKind = { maxValues: LIMITS.batchValues.max, around: '[' };
/** A body without files, whose bytes stay as they are. */
export const PLAIN: JsonKind = { ...SINGLE, around: undefined };

/** A file, or a long text, and its range in the body, from its first quote or bracket to after its last. */
export interface JsonSpan {
  start: number;
  end: number;
  /**
   * `bytes`: its first `count` bytes are those of a file. `file`: a text at the position of a file. `key`: not a value.
   */
  kind: 'bytes' | 'file' | 'text' | 'key';
  count: number;
}

/**
 * Reads the bytes of a JSON text once, on arrival and in any pieces, without a check of its grammar. Files written as
 * arrays become bytes on the way: their text, of up to five bytes for each, is never in memory as a whole.
 */
export class JsonScanner {
  /** In order. */
  readonly spans: JsonSpan[] = [];
  private at = 0;
  /** The open brackets. */
  private open = '';
  private values = 0;
  /** Start of the content of the current text. */
  private text = NONE;
  /** Range of a text that becomes a key if a colon follows. */
  private key = NONE;
  private keyEnd = NONE;
  /** True if the next value is a file. */
  private isFile = false;
  private array: ByteArray | undefined;
  private isInArray = false;
  /** Bytes that were read one by one since the last pause. */
  private work = 0;

  constructor(
    private readonly body: GrowingBytes,
    private readonly kind = SINGLE,
  ) {}

  /**
   * Continues over the received bytes.
   *
   * @throws ApiError 400 when it is nested too deep or has too many values
   */
  *scan(): Sliced<void> {
    const { body } = this;
    for (let { bytes } = body; this.at < bytes.length; ) {
      if (this.isInArray) {
        this.goOnInArray();
        bytes = body.bytes;
      } else if (this.text !== NONE) this.goOnInText(bytes);
      else this.goOn(bytes);
      if (this.work < SLICE) continue;
      this.work = 0;
      yield;
    }
  }

  /** Ends the input. */
  *end(): Sliced<void> {
    yield* this.scan();
    if (this.isInArray) {
      this.leaveArray();
      yield* this.scan();
    }
    if (this.text !== NONE) throw notJson();
  }

  /** Reads the part between texts. */
  private goOn(bytes: Buffer): void {
    const start = this.at;
    const end = Math.min(bytes.length, start + SLICE);
    while (this.at < end && this.text === NONE && !this.isInArray) this.step(bytes[this.at++] ?? 0, bytes);
    this.work += this.at - start;
  }

  private step(byte: number, bytes: Buffer): void {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    if (byte === QUOTE) {
      this.text = this.at;
      return;
    }
    const { isFile } = this;
    this.isFile = byte === 0x3a /* : */ && this.isKeyOfFile(bytes);
    this.key = NONE;
    if (byte === 0x5b /* [ */) {
      if (isFile) this.enterArray();
      else this.enter('[');
    } else if (byte === 0x7b /* { */) this.enter('{');
    else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) this.open = this.open.slice(0, -1);
    else if (byte === 0x2c /* , */) this.count();
  }

  private enter(bracket: '[' | '{'): void {
    this.open += bracket;
    if (this.open.length > MAX_DEPTH) {
      throw ApiError.malformed(`The request body is nested deeper than ${MAX_DEPTH} levels.`);
    }
    this.count();
  }

  private count(): void {
    if (++this.values > this.kind.maxValues) throw this.tooManyValues();
  }

  /** Records a text as a key after its colon. */
  private isKeyOfFile(bytes: Buffer): boolean {
    const { key, keyEnd, open } = this;
    if (key === NONE) return false;
    const last = this.spans.at(-1);
    if (last?.end === keyEnd + 1) last.kind = 'key';
    const { around } = this.kind;
    if (around === undefined || open.length <= 2 || keyEnd - key > 7) return false;
    const brackets = FILES[bytes.toString('latin1', key, keyEnd)];
    return brackets !== undefined && around + brackets === open;
  }

  private goOnInText(bytes: Buffer): void {
    const start = this.at;
    this.at = walkString(bytes, start, Math.min(bytes.length, start + SLICE));
    this.work += this.at - start;
    if (this.at < bytes.length && bytes[this.at] !== QUOTE) this.at = leapString(bytes, this.at);
    if (bytes[this.at] === QUOTE) this.endText(this.at++);
  }

  private endText(end: number): void {
    const start = this.text;
    if (end - start >= LONG) {
      this.spans.push({ start: start - 1, end: end + 1, kind: this.isFile ? 'file' : 'text', count: 0 });
    }
    this.text = NONE;
    this.isFile = false;
    this.key = start;
    this.keyEnd = end;
  }

  private enterArray(): void {
    this.array ??= new ByteArray(this.body, this.kind.maxValues);
    this.array.begin(this.at - 1);
    this.isInArray = true;
  }

  private goOnInArray(): void {
    const { array, at } = this;
    if (!array) return;
    const end = Math.min(this.body.size, at + SLICE);
    const state = array.read(end);
    this.work += end - at;
    this.at = array.at;
    if (state === 'other') this.leaveArray();
    if (state !== 'whole') return;
    this.isInArray = false;
    this.spans.push({ start: array.start, end: array.at, kind: 'bytes', count: array.count });
  }

  /** It is another array, or incomplete. */
  private leaveArray(): void {
    if (!this.array || this.array.isLong) throw this.tooManyValues();
    this.isInArray = false;
    this.at = this.array.start + 1;
    this.enter('[');
  }

  private tooManyValues(): ApiError {
    return ApiError.malformed(`The request body has more than ${this.kind.maxValues} values.`);
  }
}

const NONE = -1;
const QUOTE = 0x22;
