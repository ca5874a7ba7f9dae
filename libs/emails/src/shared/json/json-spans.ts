/*
 * Parts of a JSON text (RFC 8259) as bytes.
 */

import { SLICE, type Sliced, SliceEnd } from '../work/slices.js';

/**
 * Where the string whose content begins at `start` ends: its closing quote. Or from where to look on, when that is not
 * before `limit`; or the end of the text.
 */
export function endOfString(bytes: Buffer, start: number, limit: number): number {
  const end = Math.min(limit, bytes.length);
  let at = start;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return Math.min(at, bytes.length);
}

/** The next place that has no white space. */
export function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** Where the array of whole numbers from 0 to 255 that begins at `start` ends, or `undefined` when there is none. */
export function* endOfByteArray(bytes: Buffer, start: number): Sliced<number | undefined> {
  if (bytes[start] !== OPEN) return undefined;
  const slice = new SliceEnd(start);
  for (let at = start + 1; ; ) {
    if (slice.reached(at)) yield;
    at = skipSpace(bytes, at);
    const first = at;
    let value = 0;
    while (isDigit(bytes[at]) && at - first < 4) value = value * 10 + (bytes[at++] ?? 0) - ZERO;
    const hasLeadingZero = bytes[first] === ZERO && at - first > 1;
    if (at === first || value > 255 || hasLeadingZero) return undefined;
    at = skipSpace(bytes, at);
    if (bytes[at] === CLOSE) return at + 1;
    if (bytes[at++] !== COMMA) return undefined;
  }
}

/** The values of an array that `endOfByteArray` found, in the place of its text. */
export function* bytesOfArray(array: Buffer): Sliced<Buffer> {
  let written = 0;
  let value = 0;
  for (let at = 1; at < array.length; at++) {
    if (at % SLICE === 0) yield;
    const byte = array[at] ?? 0;
    if (isDigit(byte)) value = value * 10 + byte - ZERO;
    else if (!isSpace(byte)) {
      array[written++] = value;
      value = 0;
    }
  }
  return array.subarray(0, written);
}

/**
 * Resolves the escapes that base64 is written with (`\/`, `\n`, `\r`) in the place of the text. Undefined, and nothing
 * changed, when there are others.
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

function isDigit(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= ZERO && byte <= 0x39;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const OPEN = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;

/** Second byte of an escape to what it stands for. */
const ESCAPES: Readonly<Record<number, number>> = { 47: 0x2f, 110: 0x0a, 114: 0x0d };
