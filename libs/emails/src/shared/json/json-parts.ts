import { isAscii } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { Base64Text } from '../bytes/base64-text.js';
import { NATIVE_SLICE, type Sliced, SliceEnd } from '../work/slices.js';
import type { JsonSpan } from './json-scanner.js';
import { unescapeInPlace } from './json-spans.js';

/** Prefix that no request can contain. */
const MARK = randomUUID();

type Part = Base64Text | Buffer;

export interface PartedJson {
  /** The JSON with every file replaced by a text that is a key of `parts`. */
  rest: Buffer;
  parts: ReadonlyMap<unknown, Part>;
}

/**
 * Takes files out of a JSON text.
 *
 * @param spans their positions, in order, among others
 */
export function* partJson(bytes: Buffer, spans: readonly JsonSpan[]): Sliced<PartedJson> {
  const parts = new Map<string, Part>();
  const rest: Buffer[] = [];
  const slice = new SliceEnd();
  let copied = 0;
  for (const span of spans) {
    if (slice.reached(span.end)) yield;
    const part = yield* partOf(bytes, span);
    if (part === undefined) continue;
    const name = `${MARK}:${parts.size}`;
    parts.set(name, part);
    rest.push(Buffer.from(bytes.subarray(copied, span.start)), Buffer.from(`"${name}"`));
    copied = span.end;
  }
  if (parts.size === 0) return { rest: bytes, parts };
  rest.push(bytes.subarray(copied));
  return { rest: Buffer.concat(rest), parts };
}

/** Undefined for a value that may stay in place. */
function* partOf(bytes: Buffer, { start, end, kind, count }: JsonSpan): Sliced<Part | undefined> {
  if (kind === 'bytes') return bytes.subarray(start, start + count);
  return kind === 'file' ? yield* base64Text(bytes.subarray(start + 1, end - 1)) : undefined;
}

/**
 * Undefined for a text that needs a parser: escapes other than those of base64 lines, or characters that are invalid in
 * a JSON string.
 */
export function* base64Text(text: Buffer): Sliced<Base64Text | undefined> {
  for (let start = 0; start < text.length; start += NATIVE_SLICE) {
    if (start > 0) yield;
    const slice = text.subarray(start, start + NATIVE_SLICE);
    if (!isAscii(slice) || slice.includes(0x0a) || slice.includes(0x0d)) return undefined;
  }
  const plain = yield* unescapeInPlace(text);
  return plain && new Base64Text(plain);
}
