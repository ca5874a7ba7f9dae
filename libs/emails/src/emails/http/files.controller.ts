import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Head } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { answerInPieces } from '../../shared/http/answer.js';
import { emailLists, linkedFiles } from '../../shared/http/large-answers.js';
import { pathParameter } from '../../shared/http/path-parameter.js';
import { isSending } from '../../shared/http/refuse.js';
import { textSlices } from '../../shared/text/text-slices.js';
import { LINK_KINDS } from '../read/links/link-token.js';
import { LinkedFiles } from '../read/links/linked-files.js';
import { type Link, Links } from '../read/links/links.js';
import { setLinkHeaders } from './files/link-headers.js';
import { sendFile } from './files/send-file.js';
import { contentPolicy, frameOf, PAGE_POLICY, sharePage } from './files/share-page.js';

/** Bytes of a file that are in memory while it is sent: what was read of it, and what the connection has not taken. */
const UNDER_WAY = 500_000;

/** How long nothing may move on the connection, in milliseconds: for longer than the waits of ours. */
const STANDSTILL = 60_000;

/**
 * What links lead to, for whoever has one: `/files/{key id}/{token}`. Only a link that we have signed costs more than a look
 * at it, and whatever is wrong with another one, the answer is the same.
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
    // What nobody reads is not to be sent to its end.
    if (isSending(request)) response.setHeader('connection', 'close');
    const link = this.links.read(pathParameter(request, 'kid'), pathParameter(request, 'token'));
    if (!link) throw ApiError.invalidLink();
    if (link.kind === LINK_KINDS.attachment) await this.download(link, request, response);
    else if (link.kind === LINK_KINDS.sharedEmail) await this.show(link, response);
    else await this.frame(link, response);
  }

  /** Express answers it as GET; the line is for `Allow`. */
  @Head(':kid/:token')
  check(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.open(request, response);
  }

  private async download(link: Link, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const owner = link.account.toString('hex');
    const share = await linkedFiles.take(UNDER_WAY, owner, response);
    const file = (await this.files.file(link)) ?? refuse();
    await sendFile(file, request, response, (bytes) => share.advance(bytes));
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
