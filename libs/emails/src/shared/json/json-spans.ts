/*
 * Parts of a JSON text (RFC 8259) as bytes.
 */

import { type Sliced, SliceEnd } from '../work/slices.js';

/** After this many plain bytes, `indexOf` is faster than stepping through them. */
const NEAR = 64;

/**
 * Continues over a string from `start`, byte by byte: to its closing quote; or to the point where the caller takes
 * over, which is `limit`, the byte after it, or the start of plain bytes.
 */
export function walkString(bytes: Buffer, start: number, limit: number): number {
  let at = start;
  for (let plain = 0; at < limit && plain < NEAR; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) {
      at++;
      plain = 0;
    } else plain++;
  }
  return at;
}

/** Returns the index of the closing quote, of the byte after an escaped quote, or `bytes.length`. */
export function leapString(bytes: Buffer, start: number): number {
  const quote = bytes.indexOf(QUOTE, start);
  const end = quote < 0 ? bytes.length : quote;
  let first = end;
  while (first > start && bytes[first - 1] === BACKSLASH) first--;
  const isEscaped = (end - first) % 2 === 1;
  return isEscaped ? end + 1 : end;
}

/**
 * Resolves the escapes of base64 texts (`\\/`, `\\n`, `\\r`) in place. Undefined, without a change, if there are
 * others.
 */
export function* unescapeInPlace(text: Buffer): Sliced<Buffer | undefined> {
  const first = text.indexOf(BACKSLASH);
  if (first < 0) return text;
  const checked = new SliceEnd(first);
  for (let at = first; at >= 0; at = text.indexOf(BACKSLASH, at + 2)) {
    if (checked.reached(at)) yield;
    if (ESCAPES[text[at + 1] ?? 0] === undefined) return undefined;
  }
  let written = first;
  const resolved = new SliceEnd(first);
  for (let at = first; at < text.length; at++) {
    if (resolved.reached(at)) yield;
    const byte = text[at] ?? 0;
    text[written++] = byte === BACKSLASH ? (ESCAPES[text[++at] ?? 0] ?? 0) : byte;
  }
  return text.subarray(0, written);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Maps the second byte of an escape to its meaning. */
const ESCAPES: Readonly<Record<number, number>> = { 47: 0x2f, 110: 0x0a, 114: 0x0d };
