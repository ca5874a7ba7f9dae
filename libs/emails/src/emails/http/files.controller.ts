import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Head } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { answerInPieces } from '../../shared/http/answer.js';
import { emailLists, LargeAnswers } from '../../shared/http/large-answers.js';
import { pathParameter } from '../../shared/http/path-parameter.js';
import { isSending } from '../../shared/http/refuse.js';
import { textSlices } from '../../shared/text/text-slices.js';
import { EMAIL_LIMITS } from '../limits.js';
import { LINK_KINDS } from '../read/links/link-token.js';
import { LinkedFiles } from '../read/links/linked-files.js';
import { type Link, Links } from '../read/links/links.js';
import { setLinkHeaders } from './files/link-headers.js';
import { sendFile } from './files/send-file.js';
import { contentPolicy, frameOf, PAGE_POLICY, sharePage } from './files/share-page.js';

/**
 * Memory of a file in transfer: the part that was read, and the part that the connection has not accepted yet. Bytes.
 */
const IN_TRANSFER = 500_000;

const downloads = new LargeAnswers(EMAIL_LIMITS.downloads.max * IN_TRANSFER);

/** Idle timeout of the connection, longer than our own waits. Milliseconds. */
const STANDSTILL = 60_000;

/**
 * Targets of signed links: `/files/{key id}/{token}`. An invalid link costs no more than the check of its signature,
 * and all invalid links get the same answer.
 */
@Controller('files')
export class FilesController {
  constructor(
    private readonly links: Links,
    private readonly files: LinkedFiles,
  ) {}

  @Get(':kid/:token')
  async open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setLinkHeaders(response);
    response.setTimeout(STANDSTILL, () => response.destroy());
    // Ends an answer that the client does not read.
    if (isSending(request)) response.setHeader('connection', 'close');
    const link = this.links.read(pathParameter(request, 'kid'), pathParameter(request, 'token'));
    if (!link) throw ApiError.invalidLink();
    if (link.kind === LINK_KINDS.attachment) await this.download(link, request, response);
    else if (link.kind === LINK_KINDS.sharedEmail) await this.show(link, response);
    else await this.frame(link, response);
  }

  /** Express answers HEAD as GET; this route is there for `Allow`. */
  @Head(':kid/:token')
  check(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.open(request, response);
  }

  private async download(link: Link, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const owner = link.account.toString('hex');
    await downloads.makeRoom(IN_TRANSFER, owner, response);
    const file = (await this.files.file(link)) ?? refuse();
    await sendFile(file, request, response);
  }

  private async show(link: Link, response: ServerResponse): Promise<void> {
    const email = (await this.files.email(link)) ?? refuse();
    response.setHeader('content-security-policy', PAGE_POLICY);
    const page = sharePage(email);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(page));
    response.end(page);
  }

  private async frame(link: Link, response: ServerResponse): Promise<void> {
    const owner = link.account.toString('hex');
    const makeRoom = (bytes: number) => emailLists.makeRoom(bytes, owner, response);
    const { html, text } = (await this.files.content(link, makeRoom)) ?? refuse();
    response.setHeader('content-security-policy', contentPolicy(this.links.base()));
    if (html === null) await answer(response, 'text/plain', text ?? '');
    else await answer(response, 'text/html', frameOf(html));
  }
}

async function answer(response: ServerResponse, type: string, text: string): Promise<void> {
  response.setHeader('content-length', Buffer.byteLength(text));
  await answerInPieces(response, 200, textSlices(text), type);
}

function refuse(): never {
  throw ApiError.invalidLink();
}
