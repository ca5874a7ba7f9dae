import { createHash } from 'node:crypto';
import { bytesOfJson } from '../../../shared/bytes/bytes-of-json.js';
import { sha256 } from '../../../shared/bytes/sha256.js';
import { jsonPieces, type WithTexts } from '../../../shared/json/json-pieces.js';
import { inTurns, type Sliced } from '../../../shared/work/slices.js';
import type { EmailRequest } from '../request/email-request.js';

/**
 * SHA-256, in hex, of what a request means: key order, white space and the spelling of attachment contents do not
 * matter. Two requests with the same idempotency key are the same when these are equal.
 */
export async function hashRequest(request: EmailRequest): Promise<string> {
  const attachments: object[] = [];
  for (const { content, ...rest } of request.attachments) {
    const bytes = await bytesOfJson(content);
    attachments.push({ ...rest, content: bytes && (await inTurns(sha256(bytes))) });
  }
  return inTurns(hashJson({ ...request, attachments }));
}

function* hashJson(request: WithTexts & { attachments: object[] }): Sliced<string> {
  const hash = createHash('sha256');
  let isFirst = true;
  for (const piece of jsonPieces([request], ([value]) => canonicalJson(value))) {
    if (!isFirst) yield;
    hash.update(piece);
    isFirst = false;
  }
  return hash.digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
