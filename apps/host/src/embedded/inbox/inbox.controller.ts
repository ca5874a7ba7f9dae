import { Controller, Get, Header, Inject, Param, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { Inbox } from './inbox.js';
import type { InboxEntry } from './inbox-store.js';
import { LoopbackGuard } from './loopback.guard.js';
import { type DkimStatus, PENDING } from './signatures/signature-check.js';

const SHOWN = 100;
/** Time for which a list, and one message, waits for its signatures to be verified. Milliseconds. */
const LIST_LIMIT = 3_000;
const ONE_LIMIT = 15_000;

/** A message with the result of its DKIM signatures. */
interface ShownEntry extends InboxEntry {
  dkim: DkimStatus;
}

interface InboxList {
  object: 'list';
  has_more: boolean;
  data: readonly ShownEntry[];
}

/** Shows what the local inbox received, to callers on this machine only. */
@Controller('inbox')
@UseGuards(LoopbackGuard)
export class InboxController {
  constructor(@Inject(Inbox) private readonly inbox: Inbox) {}

  /** The newest 100 messages, newest first. A signature that takes long is `pending`. */
  @Get()
  async list(): Promise<InboxList> {
    const kept = this.inbox.list();
    return { object: 'list', has_more: kept.length > SHOWN, data: await this.shown(kept.slice(0, SHOWN), LIST_LIMIT) };
  }

  /** One message, without its content. */
  @Get(':id')
  async one(@Param('id') id: string): Promise<ShownEntry & { object: 'inbox_message' }> {
    const [entry] = await this.shown(
      this.inbox.list().filter((kept) => kept.id === id),
      ONE_LIMIT,
    );
    if (!entry) throw ApiError.notFound('The inbox has no message with this id.');
    return { object: 'inbox_message', ...entry };
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

  private async shown(entries: readonly InboxEntry[], limit: number): Promise<ShownEntry[]> {
    const results = await this.inbox.signatures(
      entries.map(({ id }) => id),
      limit,
    );
    return entries.map((entry) => ({ ...entry, dkim: results.get(entry.id) ?? PENDING }));
  }
}
