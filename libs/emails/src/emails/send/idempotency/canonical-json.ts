import { textPieces } from '../../../shared/json/json-pieces.js';
import { SLICE } from '../../../shared/work/slices.js';

/** Characters up to which a part of a long value is written as a whole. */
const APART = 4_096;
/** Characters that a value counts for, beyond its own. */
const COST = 8;

/**
 * JSON in which the order of keys does not matter.
 *
 * @throws TypeError of what JSON cannot say
 */
export function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return sorted(item);
  });
}

/** The same in pieces, which together are longer than a slice; undefined where it is no longer than that. */
export function canonicalPieces(value: unknown): Generator<string> | undefined {
  return isLong(value, SLICE) ? piecesOf(value) : undefined;
}

type Long = string | object;

function* piecesOf(value: Long): Generator<string> {
  if (typeof value === 'string') yield* textPieces(value);
  else if (Array.isArray(value)) yield* piecesOfArray(value);
  else yield* piecesOfObject(value);
}

function* piecesOfArray(array: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of array) {
    if (isLong(item, APART)) {
      yield before;
      yield* piecesOf(item);
    } else yield before + (canonicalJson(item) ?? 'null');
    before = ',';
  }
  yield ']';
}

function* piecesOfObject(object: object): Generator<string> {
  let before = '{';
  for (const [key, item] of Object.entries(sorted(object))) {
    const name = `${before}${JSON.stringify(key)}:`;
    if (isLong(item, APART)) {
      yield name;
      yield* piecesOf(item);
    } else {
      const json = canonicalJson(item);
      if (json === undefined) continue;
      yield name + json;
    }
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function sorted(object: object): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isLong(value: unknown, most: number): value is Long {
  return leftOf(value, most) < 0;
}

/** Takes the characters of the value from so many. The result is less than 0 as soon as these are too few. */
function leftOf(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return most - COST;
  let left = most - COST;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = leftOf(value[at], left);
    return left;
  }
  for (const key in value) {
    left = leftOf(value[key as never], left - key.length);
    if (left < 0) break;
  }
  return left;
}
