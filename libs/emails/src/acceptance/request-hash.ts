import { createHash, type Hash } from 'node:crypto';
import { decodeAttachmentContent } from './attachment-content.js';
import type { EmailRequest } from './email-request.js';
import { sha256 } from './sha256.js';
import { inTurns, SLICE, type Sliced } from './slices.js';

/** What stands for a long text. No request has NUL in it. */
const MARK = '\0';

/**
 * SHA-256, in hex, of what a request means: key order, white space and the spelling of attachment contents do not
 * matter. Two requests with the same idempotency key are the same when these are equal.
 */
export async function hashRequest(request: EmailRequest): Promise<string> {
  const attachments: object[] = [];
  for (const { content, ...rest } of request.attachments) {
    const bytes = await decodeAttachmentContent(content);
    attachments.push({ ...rest, content: bytes && (await inTurns(sha256(bytes))) });
  }
  return inTurns(hashJson({ ...request, attachments }));
}

/** The hash of the request's canonical JSON. Long texts are put into that in slices. */
function* hashJson(request: Pick<EmailRequest, 'html' | 'text'> & { attachments: object[] }): Sliced<string> {
  const short = { ...request };
  const long: string[] = [];
  // In the order in which they stand there.
  for (const field of ['html', 'text'] as const) {
    const text = request[field];
    if (text === undefined || text.length <= SLICE) continue;
    long.push(text);
    short[field] = MARK;
  }
  const hash = createHash('sha256');
  const [first = '', ...others] = canonicalJson(short).split(JSON.stringify(MARK));
  hash.update(first);
  for (const [at, text] of long.entries()) {
    yield* updateWithJson(hash, text);
    hash.update(others[at] ?? '');
  }
  return hash.digest('hex');
}

/** The JSON of a text is that of its parts, as long as no pair of surrogates is parted. */
function* updateWithJson(hash: Hash, text: string): Sliced<void> {
  hash.update('"');
  for (let start = 0; start < text.length; ) {
    yield;
    const next = start + SLICE;
    const end = /[\ud800-\udbff]/.test(text.charAt(next - 1)) ? next + 1 : next;
    hash.update(JSON.stringify(text.slice(start, end)).slice(1, -1));
    start = end;
  }
  hash.update('"');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
