import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Head, HttpCode, Inject, Logger, Optional, Post } from '@nestjs/common';
import type { EmailsService, TopicRecipient } from '../../../index.js';
import { errorReport } from '../../../shared/errors/error-report.js';
import { EMAILS_SERVICE } from '../../../shared/features/emails-service.token.js';
import { pathParameter } from '../../../shared/http/path-parameter.js';
import { ReaderChoices } from '../choices/reader-choices.js';
import type { ReaderChange } from '../page/unsubscribe-page.js';
import { UnsubscribeTokens } from '../unsubscribe-tokens.js';
import { type AskedChange, askedChange } from './asked-change.js';
import { PageWriter } from './page-writer.js';
import { readForm } from './read-form.js';
import { UnsubscribeLimits } from './unsubscribe-limits.js';

/**
 * Unsubscribe links: `/unsubscribe/{token}`. The token is the only proof, so that every mail program can send the POST of
 * RFC 8058, without cookies and never redirected. GET changes nothing: programs that look for malware follow links.
 */
@Controller('unsubscribe')
export class UnsubscribeController {
  private readonly logger = new Logger('Unsubscribe');
  private readonly limits = new UnsubscribeLimits();

  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly choices: ReaderChoices,
    private readonly pages: PageWriter,
    @Optional() @Inject(EMAILS_SERVICE) private readonly emails?: Pick<EmailsService, 'report'>,
  ) {}

  @Get(':token')
  async open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reader = await this.readerOf(request, response);
    if (reader) await this.show(reader, null, request, response);
  }

  /** Express answers HEAD as GET; this route is there for `Allow`. */
  @Head(':token')
  check(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.open(request, response);
  }

  @Post(':token')
  @HttpCode(200)
  async change(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reader = await this.readerOf(request, response);
    if (!reader) return;
    const asked = askedChange(await readForm(request));
    const change = await this.make(asked, reader);
    if (asked.kind !== 'one_click') await this.show(reader, change, request, response);
  }

  /** Undefined for a wrong token: then it has been answered. */
  private async readerOf(request: IncomingMessage, response: ServerResponse): Promise<TopicRecipient | undefined> {
    this.pages.prepare(response);
    const reader = this.tokens.read(pathParameter(request, 'token'));
    if (reader) await this.limits.countReader(reader);
    else {
      await this.limits.countWrong(request.socket.remoteAddress);
      await this.pages.writeInvalid(request, response);
    }
    return reader;
  }

  private async make(asked: AskedChange, reader: TopicRecipient): Promise<ReaderChange> {
    if (asked.kind === 'all') {
      await this.choices.optOutOfAll(reader);
      await this.record(reader);
      return { kind: 'unsubscribed_from_all' };
    }
    const topicId = asked.kind === 'topic' ? asked.topicId : reader.topicId;
    const subscription = asked.kind === 'topic' ? asked.subscription : 'opt_out';
    const topic = await this.choices.choose(reader, topicId, subscription);
    if (topic === undefined) return { kind: 'not_changed' };
    if (subscription === 'opt_out' && topicId === reader.topicId) await this.record(reader);
    return { kind: subscription === 'opt_out' ? 'unsubscribed' : 'subscribed', topic };
  }

  /** Adds the event to the email, if it is still kept. The choice holds without it. */
  private async record({ accountId, emailId, address }: TopicRecipient): Promise<void> {
    const report = { accountId, emailId, recipient: address, kind: 'unsubscribed', source: 'unsubscribe' } as const;
    try {
      await this.emails?.report(report);
    } catch (error) {
      this.logger.warn(
        `A recipient of email ${emailId} unsubscribed, and the event was not recorded: ${errorReport(error)}`,
      );
    }
  }

  private async show(
    reader: TopicRecipient,
    change: ReaderChange | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { accountId, address } = reader;
    const state = await this.choices.stateOf(reader);
    await this.pages.write({ accountId, address, change, ...state }, request, response);
  }
}
