import { createHash } from 'node:crypto';
import { bytesOfJson } from '../../../shared/bytes/bytes-of-json.js';
import { sha256 } from '../../../shared/bytes/sha256.js';
import { jsonPieces, type WithTexts } from '../../../shared/json/json-pieces.js';
import { inTurns, type Sliced } from '../../../shared/work/slices.js';

/**
 * SHA-256, in hex, of what a request means: key order, white space and the spelling of attachment contents do not
 * matter. Two requests with the same idempotency key are the same when these are equal.
 *
 * @param request an `EmailRequest`, or what was refused to be one
 * @throws TypeError of what JSON cannot say
 */
export async function hashRequest(request: unknown): Promise<string> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return hashOf(canonicalJson(request));
  const { attachments } = request as { attachments?: unknown };
  if (!Array.isArray(attachments)) return inTurns(hashJson(request));
  const hashed: unknown[] = [];
  for (const attachment of attachments) hashed.push(await withHashedContent(attachment));
  const named: WithTexts & { attachments: unknown } = { ...request, attachments: hashed };
  return inTurns(hashJson(named));
}

async function withHashedContent(attachment: unknown): Promise<unknown> {
  if (typeof attachment !== 'object' || attachment === null) return attachment;
  const { content, ...rest } = attachment as { content?: unknown };
  const bytes = await bytesOfJson(content);
  return { ...rest, content: bytes && (await inTurns(sha256(bytes))) };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function* hashJson(request: WithTexts): Sliced<string> {
  const hash = createHash('sha256');
  let isFirst = true;
  for (const piece of jsonPieces(request, canonicalJson)) {
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
