import { ApiError } from '../errors/api-error.js';
import { inTurns } from '../work/slices.js';
import { checkJson } from './json-rules.js';
import { JsonScanner } from './json-scanner.js';

/**
 * Parses a JSON body; an empty one is `{}`. Files in it (`attachments[].content`) are not made part of a text: a long
 * base64 text becomes a `Base64Text`, an array of bytes a Buffer, and both live on in the memory of `bytes`, which
 * belongs to the result from now on. Long texts of a large body are read in slices. What would cost far more memory than
 * it has bytes is refused before it is parsed.
 *
 * @throws ApiError 400 when it is not JSON, not UTF-8, no object or array, nested too deep or has too many values
 */
export async function readJson(bytes: Buffer): Promise<object> {
  const { parts, rest } = await inTurns(new JsonScanner(bytes).scan());
  const text = decodeUtf8(rest);
  if (text === '') return {};
  let value: unknown;
  try {
    value = parts.size === 0 ? JSON.parse(text) : JSON.parse(text, (_key, item) => parts.get(item) ?? item);
  } catch {
    throw ApiError.malformed('The request body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null) {
    throw ApiError.malformed('The request body must be a JSON object.');
  }
  checkJson(value);
  return value;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw ApiError.malformed('The request body is not valid UTF-8.');
  }
}
