import { ApiError } from '../errors/api-error.js';
import { SLICE, type Sliced } from '../work/slices.js';

/** A key that a template uses; `raw` where it is written with three braces. */
export interface TemplateKey {
  key: string;
  raw: boolean;
}

/** Characters of a template, or placeholders of it, that are worked on at a stretch: about a millisecond. */
const SCANNED = 65_536;
const FILLED = 8_192;
/** Bytes that an object with one key takes, with its entry in a map. */
const KEY_WEIGHT = 250;
/** Numbers for each placeholder in `TemplateText.places`. */
const STRIDE = 3;

/**
 * A text of a template, taken apart. Its whole language is `{{KEY}}` and `{{{KEY}}}`, spaces around the key allowed: no
 * helpers, blocks, partials, paths or expressions, so that nothing in a template can do anything but wait for a value.
 * Placeholders are kept as numbers: a template of a megabyte may have 200,000 of them.
 */
export class TemplateText {
  /** @throws ApiError 422 with the line of a `{{` that begins no placeholder */
  static *of(source: string): Sliced<TemplateText> {
    const scanner = new Scanner(source);
    const keys: TemplateKey[] = [];
    const uses: number[] = [];
    const indexes = new Map<string, number>();
    const places: number[] = [];
    let sliceEnd = SCANNED;
    while (scanner.next()) {
      const { start, end, key, raw } = scanner;
      const name = raw ? `{${key}` : key;
      let index = indexes.get(name);
      if (index === undefined) {
        index = keys.push({ key, raw }) - 1;
        indexes.set(name, index);
        uses.push(0);
      }
      uses[index] = (uses[index] ?? 0) + 1;
      places.push(start, end, index);
      if (end < sliceEnd) continue;
      sliceEnd = end + SCANNED;
      yield;
    }
    return new TemplateText(source, keys, uses, new Int32Array(places));
  }

  /** What stays as it is, in characters and in bytes of UTF-8. */
  readonly literal: { length: number; bytes: number };

  private constructor(
    private readonly source: string,
    /** Each once, in order of appearance. */
    readonly keys: readonly TemplateKey[],
    /** How often each of `keys` is used. */
    readonly uses: readonly number[],
    /** Of each placeholder where it starts, where it ends, and the index of its key. */
    private readonly places: Int32Array,
  ) {
    let marked = 0;
    for (let at = 0; at < places.length; at += STRIDE) marked += (places[at + 1] ?? 0) - (places[at] ?? 0);
    this.literal = { length: source.length - marked, bytes: Buffer.byteLength(source) - marked };
  }

  /** Bytes that it takes in memory, about. */
  get weight(): number {
    return this.source.length + this.places.byteLength + this.keys.length * KEY_WEIGHT;
  }

  /** The text with these values, in the order of `keys`. */
  *fill(values: readonly string[]): Sliced<string> {
    const { source, places } = this;
    const slices: string[] = [];
    let pieces: string[] = [];
    let length = 0;
    let end = 0;
    for (let at = 0; at < places.length; at += STRIDE) {
      const literal = source.slice(end, places[at]);
      const value = values[places[at + 2] ?? 0] ?? '';
      end = places[at + 1] ?? 0;
      pieces.push(literal, value);
      length += literal.length + value.length;
      if (length < SLICE && pieces.length < FILLED) continue;
      slices.push(pieces.join(''));
      pieces = [];
      length = 0;
      yield;
    }
    pieces.push(source.slice(end));
    slices.push(pieces.join(''));
    return slices.join('');
  }
}

/**
 * Checks one text of a template before it is saved and returns the keys it uses, each once, in order of appearance.
 *
 * @throws ApiError 422 when there is anything between `{{` and `}}` but a key
 */
export function checkTemplate(source: string): string[] {
  const scanner = new Scanner(source);
  const keys = new Set<string>();
  while (scanner.next()) keys.add(scanner.key);
  return [...keys];
}

/** Goes from placeholder to placeholder. */
class Scanner {
  /** Of the last placeholder. */
  start = 0;
  end = 0;
  key = '';
  raw = false;

  constructor(private readonly source: string) {}

  /**
   * False when there is no further placeholder. A `{{` that starts none is refused rather than sent to somebody as it
   * stands.
   *
   * @throws ApiError 422 with the line
   */
  next(): boolean {
    const { source } = this;
    const start = source.indexOf('{{', this.end);
    if (start === -1) return false;
    this.raw = source.startsWith('{', start + 2);
    const braces = this.raw ? 3 : 2;
    const pattern = this.raw ? RAW : ESCAPED;
    pattern.lastIndex = start;
    if (!pattern.test(source)) throw notAPlaceholder(source, start);
    this.start = start;
    this.end = pattern.lastIndex;
    this.key = source.slice(start + braces, this.end - braces).trim();
    return true;
  }
}

function notAPlaceholder(source: string, index: number): ApiError {
  const line = source.slice(0, index).split('\n').length;
  return ApiError.invalid(
    `Line ${line} of the template has a \`{{\` that is not \`{{KEY}}\` or \`{{{KEY}}}\` with a key of 1 to 50 letters, digits and underscores. ` +
      'Helpers, blocks, partials, paths and comments are not supported.',
  );
}

const ESCAPED = /\{\{ *\w{1,50} *\}\}/y;
const RAW = /\{\{\{ *\w{1,50} *\}\}\}/y;
