import { Controller, Get, Header, Inject, Param, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { Inbox } from './inbox.js';
import type { InboxEntry } from './inbox-store.js';
import { LoopbackGuard } from './loopback.guard.js';

const SHOWN = 100;

interface InboxList {
  object: 'list';
  has_more: boolean;
  data: readonly InboxEntry[];
}

/** Shows what the local inbox received, to callers on this machine only. */
@Controller('inbox')
@UseGuards(LoopbackGuard)
export class InboxController {
  constructor(@Inject(Inbox) private readonly inbox: Inbox) {}

  /** The newest 100 messages, newest first. */
  @Get()
  list(): InboxList {
    const kept = this.inbox.list();
    return { object: 'list', has_more: kept.length > SHOWN, data: kept.slice(0, SHOWN) };
  }

  /** A message byte for byte (RFC 5322), as a download: no browser should render a stranger's content. */
  @Get(':id/raw')
  @Header('x-content-type-options', 'nosniff')
  async raw(@Param('id') id: string): Promise<StreamableFile> {
    const message = await this.inbox.raw(id);
    if (!message) throw ApiError.notFound('The inbox has no message with this id.');
    return new StreamableFile(message.stream, {
      type: 'message/rfc822',
      disposition: `attachment; filename="${id}.eml"`,
      length: message.size,
    });
  }
}
