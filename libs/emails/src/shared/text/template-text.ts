import { ApiError } from '../errors/api-error.js';
import { SLICE, type Sliced } from '../work/slices.js';

/** A key in a template; `raw` if it is written with three braces. */
export interface TemplateKey {
  key: string;
  raw: boolean;
}

/** Characters or placeholders of a template that are processed in one slice, about a millisecond. */
const SCANNED = 65_536;
const FILLED = 8_192;
/** Bytes of an object with one key, including its entry in a map. */
const KEY_WEIGHT = 250;
/** Numbers for each placeholder in `TemplateText.positions`. */
const STRIDE = 3;

/**
 * A parsed text of a template. The language consists of `{{KEY}}` and `{{{KEY}}}`, with optional spaces around the key:
 * no helpers, blocks, partials, paths or expressions, so that a template cannot execute anything. Placeholders are
 * stored as numbers, because a template of a megabyte may have 200,000 of them.
 */
export class TemplateText {
  /** @throws ApiError 422 with the line of a `{{` without a placeholder */
  static *of(source: string): Sliced<TemplateText> {
    const scanner = new Scanner(source);
    const keys: TemplateKey[] = [];
    const uses: number[] = [];
    const indexes = new Map<string, number>();
    const positions: number[] = [];
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
      positions.push(start, end, index);
      if (end < sliceEnd) continue;
      sliceEnd = end + SCANNED;
      yield;
    }
    return new TemplateText(source, keys, uses, new Int32Array(positions));
  }

  /** Length of the literal text, in characters and in bytes of UTF-8. */
  readonly literal: { length: number; bytes: number };

  private constructor(
    private readonly source: string,
    /** Each once, in order of appearance. */
    readonly keys: readonly TemplateKey[],
    /** Number of uses of each of `keys`. */
    readonly uses: readonly number[],
    /** Start, end and key index of each placeholder. */
    private readonly positions: Int32Array,
  ) {
    let marked = 0;
    for (let at = 0; at < positions.length; at += STRIDE) marked += (positions[at + 1] ?? 0) - (positions[at] ?? 0);
    this.literal = { length: source.length - marked, bytes: Buffer.byteLength(source) - marked };
  }

  /** Approximate memory. Bytes. */
  get weight(): number {
    return this.source.length + this.positions.byteLength + this.keys.length * KEY_WEIGHT;
  }

  /** The text with these values, in the order of `keys`. */
  *fill(values: readonly string[]): Sliced<string> {
    const { source, positions } = this;
    const slices: string[] = [];
    let pieces: string[] = [];
    let length = 0;
    let end = 0;
    for (let at = 0; at < positions.length; at += STRIDE) {
      const literal = source.slice(end, positions[at]);
      const value = values[positions[at + 2] ?? 0] ?? '';
      end = positions[at + 1] ?? 0;
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
 * @throws ApiError 422 for anything but a key between `{{` and `}}`
 *
 * @example
 * ```ts
 * checkTemplate('Hello {{NAME}}, order {{{ORDER}}}'); // ['NAME', 'ORDER']
 * ```
 */
export function checkTemplate(source: string): string[] {
  const scanner = new Scanner(source);
  const keys = new Set<string>();
  while (scanner.next()) keys.add(scanner.key);
  return [...keys];
}

/** Goes from placeholder to placeholder. */
class Scanner {
  /** Range of the last placeholder. */
  start = 0;
  end = 0;
  key = '';
  raw = false;

  constructor(private readonly source: string) {}

  /**
   * False when there is no further placeholder. A `{{` without a placeholder is refused, because recipients would see
   * it.
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
