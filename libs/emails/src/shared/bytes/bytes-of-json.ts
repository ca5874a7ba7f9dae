import { inTurns } from '../work/slices.js';
import { decodeBase64InPlace } from './base64.js';
import { Base64Text } from './base64-text.js';

/**
 * The bytes of a JSON value: a base64 text, an array of byte values, or a serialised Node Buffer
 * (`{"type": "Buffer", "data": […]}`); long ones come from the JSON reader as a `Base64Text` or a Buffer.
 *
 * Returns `undefined` for any other value.
 */
export async function bytesOfJson(content: unknown): Promise<Buffer | undefined> {
  if (typeof content === 'string') return inTurns(decodeBase64InPlace(Buffer.from(content)));
  if (content instanceof Base64Text) return content.bytes();
  return decodeBytes(isSerialisedBuffer(content) ? content.data : content);
}

function decodeBytes(values: unknown): Buffer | undefined {
  if (Buffer.isBuffer(values)) return values;
  if (!Array.isArray(values)) return undefined;
  const bytes = Buffer.allocUnsafe(values.length);
  for (let index = 0; index < values.length; index++) {
    const value: unknown = values[index];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255) return undefined;
    bytes[index] = value;
  }
  return bytes;
}

function isSerialisedBuffer(content: unknown): content is { type: 'Buffer'; data: unknown } {
  return (
    typeof content === 'object' &&
    content !== null &&
    'type' in content &&
    content.type === 'Buffer' &&
    'data' in content &&
    Object.keys(content).length === 2
  );
}
