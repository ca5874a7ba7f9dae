import { Base64Text } from '../bytes/base64-text.js';
import { ApiError } from '../errors/api-error.js';
import { LIMITS } from '../limits.js';
import { isWellFormed } from '../text/text-rules.js';

const MAX_DEPTH = LIMITS.bodyDepth.max;
/** Limit of a path in a message, since its keys come from the caller. Characters. */
const SHOWN = 100;

/**
 * Refuses values that later rules cannot handle safely: nesting deeper than 32 levels, NUL and lone surrogates (which
 * PostgreSQL cannot store), and keys named `__proto__`.
 */
export function checkJson(value: unknown, path = '', depth = 0): void {
  if (typeof value === 'string') {
    checkText(value, path);
    return;
  }
  if (typeof value !== 'object' || value === null || isFile(value)) return;
  if (depth >= MAX_DEPTH) throw ApiError.malformed(`The request body is nested deeper than ${MAX_DEPTH} levels.`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (typeof value[index] !== 'number') checkJson(value[index], `${path}[${index}]`, depth + 1);
    }
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw ApiError.invalid('`__proto__` is not a field.');
    checkText(key, path || 'request body');
    checkJson(item, path ? `${path}.${key}` : key, depth + 1);
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0') || !isWellFormed(text)) {
    // A key may be an address.
    const shown = path.includes('@') ? 'A part of the request body' : `\`${path.slice(0, SHOWN)}\``;
    throw ApiError.invalid(`${shown} contains NUL or half of a surrogate pair, which no email can carry.`);
  }
}

/** A file as `readJson` returns it: bytes, which need no check. */
function isFile(value: object): boolean {
  return Buffer.isBuffer(value) || value instanceof Base64Text;
}
