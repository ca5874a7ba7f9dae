import { createHash } from 'node:crypto';
import { decodeAttachmentContent } from './attachment-content.js';
import type { EmailRequest } from './email-request.js';

/**
 * SHA-256, in hex, of what a request means: key order, white space and the spelling of attachment contents do not
 * matter. Two requests with the same idempotency key are the same when these are equal.
 */
export function hashRequest(request: EmailRequest): string {
  const attachments = request.attachments.map(({ content, ...rest }) => {
    const bytes = content === undefined ? undefined : decodeAttachmentContent(content);
    return { ...rest, content: bytes && createHash('sha256').update(bytes).digest('hex') };
  });
  return createHash('sha256')
    .update(canonicalJson({ ...request, attachments }))
    .digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
