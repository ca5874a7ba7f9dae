import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, type Caller, type PageRole } from 'nestjs-emails';
import { answerJson } from '../http/answers.js';
import type { Part, Visit } from '../http/visit.js';
import { readJson } from '../http/visit-body.js';
import { PAGE_LIMITS } from '../limits.js';
import { isFromThisMachine } from '../session/this-machine.js';
import type { Visitors } from '../session/visitors.js';
import type { DashboardInbox, InboxMessage } from './dashboard-inbox.js';
import { disposition } from './file-name.js';
import { matching, readInboxSearch } from './inbox-search.js';
import type { InboxSignatures } from './inbox-signatures.js';
import type { MessageParser } from './message-parser.js';
import type { ParsedMessage } from './parsed-message.js';
import { readRecipients } from './release-request.js';
import { countRemoteImages } from './remote-images.js';
import { thumbnailType } from './thumbnail-type.js';

const SHOWN = 50;
const MAX_LISTED = 1_000;
/** Limit of a body. Bytes. */
const BODY_LIMIT = 20_000;
/** Limit of a shown source. Bytes. */
const SOURCE_SHOWN = 1_000_000;
/** Time for which one message waits for its signatures. Milliseconds. */
const VERIFYING = 3_000;

/** Finds an email of the account by the id of its message. */
export type FindEmail = (accountId: string, messageId: string) => Promise<string | null>;

/** `{path}/inbox/messages…`: messages received in development. */
export class InboxPart implements Part {
  constructor(
    private readonly inbox: DashboardInbox,
    private readonly parser: MessageParser,
    private readonly visitors: Visitors,
    private readonly findEmail: FindEmail,
  ) {}

  async handle(visit: Visit): Promise<boolean> {
    const [room, messages, id, what, index] = visit.path.split('/');
    if (room !== 'inbox' || messages !== 'messages') return false;
    const { request, response, method } = visit;
    if (this.inbox.onlyThisMachine && !isFromThisMachine(request)) throw ApiError.notFound();
    const isFile =
      method === 'GET' &&
      (what === 'attachments' || what === 'thumbnails' || (what === 'source' && visit.query.has('download')));
    const caller = await this.visitors[isFile ? 'admitFrame' : 'admit'](request, response, neededFor(method, id));
    if (id === undefined) await this.all(visit);
    else if (what === undefined && method === 'DELETE') await this.remove(id, response);
    else if (what === 'release' && method === 'POST') await this.release(id, visit);
    else if (method !== 'GET' || what === 'release') throw ApiError.methodNotAllowed(methodsOf(what));
    else if (what === undefined) await this.one(id, caller, response);
    else if (what === 'source') await this.source(id, visit);
    else if (what === 'attachments') await this.attachment(id, Number(index), response);
    else if (what === 'thumbnails') await this.thumbnail(id, Number(index), response);
    else throw ApiError.notFound();
    return true;
  }

  private async all({ method, query, response }: Visit): Promise<void> {
    if (method === 'DELETE') {
      await this.inbox.clear();
      return answerJson(response, { object: 'inbox', deleted: true });
    }
    if (method !== 'GET') throw ApiError.methodNotAllowed(['GET', 'DELETE']);
    const search = readInboxSearch(query.get('search') ?? '');
    if (typeof search === 'string') throw ApiError.invalid(search);
    const found = matching(this.inbox.list(), search);
    const after = query.get('after');
    const start = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
    const limit = Math.min(Math.max(1, Math.trunc(Number(query.get('limit'))) || SHOWN), MAX_LISTED);
    const data = found.slice(start, start + limit);
    const counts = { total: found.length, kept: this.inbox.list().length };
    answerJson(response, {
      object: 'list',
      has_more: found.length > start + limit,
      data,
      ...counts,
      hints: this.inbox.hints,
      can_release: this.inbox.release !== undefined,
    });
  }

  private async one(id: string, caller: Caller, response: ServerResponse): Promise<void> {
    const message = this.inbox.list().find((kept) => kept.id === id);
    if (!message) throw ApiError.notFound('The inbox has no message with this id.');
    const [parsed, dkim = null] = await Promise.all([this.parser.parse(id), this.inbox.verify?.(id, VERIFYING)]);
    const emailId = parsed.message_id === null ? null : await this.findEmail(caller.accountId, parsed.message_id);
    answerJson(response, recordOf(message, parsed, emailId, dkim));
  }

  private async remove(id: string, response: ServerResponse): Promise<void> {
    if (!(await this.inbox.remove(id))) throw ApiError.notFound('The inbox has no message with this id.');
    answerJson(response, { object: 'inbox_message', id, deleted: true });
  }

  private async source(id: string, { query, response }: Visit): Promise<void> {
    const kept = await this.inbox.open(id);
    if (!kept) throw ApiError.notFound('The inbox has no message with this id.');
    const isDownload = query.has('download');
    const size = isDownload ? kept.size : Math.min(kept.size, SOURCE_SHOWN);
    setFileHeaders(response, isDownload ? 'message/rfc822' : 'text/plain; charset=utf-8', size);
    response.setHeader('content-disposition', isDownload ? `attachment; filename="${id}.eml"` : 'inline');
    response.setHeader('x-total-bytes', kept.size);
    await sendTo(response, limited(kept.stream, size));
  }

  private async attachment(id: string, index: number, response: ServerResponse): Promise<void> {
    const part = (await this.parser.parse(id)).attachments[index];
    if (!part) throw ApiError.notFound('The message has no such attachment.');
    setFileHeaders(response, 'application/octet-stream', part.content.length);
    response.setHeader('content-disposition', disposition(part.filename ?? `attachment-${index}`));
    await sendTo(response, [part.content]);
  }

  /** An attachment that is an image by its content, for the page to show. */
  private async thumbnail(id: string, index: number, response: ServerResponse): Promise<void> {
    const { content } = (await this.parser.parse(id)).attachments[index] ?? {};
    const type = content && content.length <= PAGE_LIMITS.thumbnail.max ? thumbnailType(content) : undefined;
    if (!content || !type) throw ApiError.notFound('The message has no such image.');
    setFileHeaders(response, type, content.length);
    response.setHeader('content-disposition', 'inline');
    await sendTo(response, [content]);
  }

  private async release(id: string, { request, response }: Visit): Promise<void> {
    if (!this.inbox.release) throw ApiError.notFound('No server is configured to which this inbox releases messages.');
    const recipients = await this.inbox.release(id, readRecipients(await readJson(request, BODY_LIMIT)));
    if (!recipients) throw ApiError.notFound('The inbox has no message with this id.');
    answerJson(response, { object: 'inbox_release', id, recipients });
  }
}

/** The list has no content, a message has. */
function neededFor(method: string, id: string | undefined): PageRole {
  if (method !== 'GET') return 'admin';
  return id === undefined ? 'viewer' : 'support';
}

function methodsOf(what: string | undefined): string[] {
  if (what === undefined) return ['GET', 'DELETE'];
  return what === 'release' ? ['POST'] : ['GET'];
}

function recordOf(
  message: InboxMessage,
  parsed: ParsedMessage,
  emailId: string | null,
  dkim: InboxSignatures | null,
): object {
  const { id, from, to, received_at, size } = message;
  const { html, attachments, ...rest } = parsed;
  return {
    object: 'inbox_message',
    id,
    received_at,
    size,
    envelope: { from, to },
    ...rest,
    has_html: html !== null,
    remote_images: countRemoteImages(html ?? ''),
    attachments: attachments.map(({ filename, contentType, contentId, content }, index) => ({
      index,
      filename,
      content_type: contentType,
      content_id: contentId,
      size: content.length,
      is_image: content.length <= PAGE_LIMITS.thumbnail.max && thumbnailType(content) !== undefined,
    })),
    email_id: emailId,
    dkim,
  };
}

/** A file, never served with its declared type. */
function setFileHeaders(response: ServerResponse, type: string, size: number): void {
  response.setHeader('content-type', type);
  response.setHeader('content-length', size);
  response.setHeader('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
}

async function* limited(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let left = size;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** A browser that disconnects early is not a failure. */
async function sendTo(
  response: ServerResponse,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  await pipeline(Readable.from(chunks), response).catch(() => response.destroy());
}
