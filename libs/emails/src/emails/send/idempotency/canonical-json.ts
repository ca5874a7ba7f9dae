import { textPieces } from '../../../shared/json/json-pieces.js';
import { SLICE } from '../../../shared/work/slices.js';

/** Limit up to which a part of a long value is written as a whole. Characters. */
const APART = 4_096;
/** Overhead of a value in the count of characters. */
const COST = 8;

/**
 * JSON in which the order of keys does not matter.
 *
 * @throws TypeError for a value that JSON cannot express
 */
export function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return sorted(item);
  });
}

/** The same in pieces, if they are longer than a slice together; else undefined. */
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

function isLong(value: unknown, limit: number): value is Long {
  return leftOf(value, limit) < 0;
}

/** Subtracts the characters of the value from a budget. The result is below 0 once the budget is exceeded. */
function leftOf(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return budget - COST;
  let left = budget - COST;
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
