import { createHash } from 'node:crypto';
import { bytesOfJson } from '../../../shared/bytes/bytes-of-json.js';
import { sha256 } from '../../../shared/bytes/sha256.js';
import { inTurns, Turns } from '../../../shared/work/slices.js';
import { canonicalJson, canonicalPieces } from './canonical-json.js';

/**
 * SHA-256, in hex, of the meaning of a request: key order, white space and the spelling of attachment contents do not
 * matter. Two requests with the same idempotency key are the same when these are equal.
 *
 * @param request an `SendEmailDto`, or a value that was refused as one
 * @throws TypeError for a value that JSON cannot express
 */
export async function hashRequest(request: unknown): Promise<string> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return hashOf(request);
  const { attachments } = request as { attachments?: unknown };
  if (!Array.isArray(attachments)) return hashOf(request);
  const hashed: unknown[] = [];
  for (const attachment of attachments) hashed.push(await withHashedContent(attachment));
  return hashOf({ ...request, attachments: hashed });
}

async function withHashedContent(attachment: unknown): Promise<unknown> {
  if (typeof attachment !== 'object' || attachment === null) return attachment;
  const { content, ...rest } = attachment as { content?: unknown };
  const bytes = await bytesOfJson(content);
  return { ...rest, content: bytes && (await inTurns(sha256(bytes))) };
}

function hashOf(value: unknown): string | Promise<string> {
  const pieces = canonicalPieces(value);
  if (pieces) return hashInTurns(pieces);
  return createHash('sha256')
    .update(canonicalJson(value) as string)
    .digest('hex');
}

async function hashInTurns(pieces: Iterable<string>): Promise<string> {
  const hash = createHash('sha256');
  const turns = new Turns();
  for (const piece of pieces) {
    const turn = turns.pass();
    if (turn) await turn;
    hash.update(piece);
  }
  return hash.digest('hex');
}
