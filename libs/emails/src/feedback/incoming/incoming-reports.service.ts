import { Inject, Injectable } from '@nestjs/common';
import type { EmailsService, ReportedOutcome, ReportResult } from '../../index.js';
import { EMAILS_SERVICE } from '../../shared/features/emails-service.token.js';
import { parseAddress } from '../../shared/mailbox/address.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { type ReturnPathToken, ReturnPathTokens } from '../return-path/return-path-tokens.js';
import { EmailReferences } from './email-references.js';
import type { IncomingReport } from './incoming-report.js';
import { bareMessageId, emailIdIn } from './message-id.js';

/** `unmatched`: the report leads to no email. */
export type IncomingResult = 'recorded' | 'unchanged' | 'unmatched';

/**
 * Records the reports of mail servers and relays. The email is found by what a report names; its recipient moves forward
 * only, so reports may come twice, late and in any order.
 */
@Injectable()
export class IncomingReportsService {
  /** @internal Made by `feedback()`. */
  constructor(
    @Inject(EMAILS_SERVICE) private readonly emails: Pick<EmailsService, 'report'>,
    @Inject(ReturnPathTokens) private readonly tokens: Pick<ReturnPathTokens, 'read'>,
    @Inject(EmailReferences) private readonly references: Pick<EmailReferences, 'find'>,
  ) {}

  /**
   * Resolves after the commit.
   *
   * @throws ApiError 503 when the email is locked or being sent, or the database is away: the report should come again
   */
  async record(report: IncomingReport): Promise<IncomingResult> {
    const token = report.token === undefined ? undefined : this.tokens.read(report.token);
    if (token) {
      const result = await this.report(token.emailId, report, token);
      if (result !== 'unmatched') return result;
    }
    for await (const emailId of this.emailsOf(report)) {
      const result = await this.report(emailId, report);
      if (result !== 'unmatched') return result;
    }
    return 'unmatched';
  }

  private async *emailsOf({ emailId, messageId, relayId }: IncomingReport): AsyncGenerator<string> {
    // The relay's own id first: the others may be the caller's.
    yield* await this.referred('relay', relayId);
    if (isUuid(emailId)) yield emailId.toLowerCase();
    if (messageId === undefined) return;
    const named = emailIdIn(messageId);
    if (named !== undefined) yield named;
    yield* await this.referred('message', bareMessageId(messageId));
  }

  private async referred(kind: 'relay' | 'message', text: string | undefined): Promise<string[]> {
    const found = text === undefined ? undefined : await this.references.find({ kind, text });
    return found === undefined ? [] : [found];
  }

  private async report(emailId: string, report: IncomingReport, token?: ReturnPathToken): Promise<IncomingResult> {
    const { kind, source, reply, bounce, code } = report;
    const names = [report.originalRecipient, report.recipient].flatMap(addressIn);
    const isShared = token !== undefined && token.recipient === undefined;
    const outcome: ReportedOutcome = {
      emailId,
      kind,
      source,
      // Every recipient of that message knows the token, so it proves nothing about this one.
      code: isShared && kind === 'bounced' ? 'unconfirmed_bounce' : code,
      reply,
      bounce,
    };
    // The holder of one recipient's token must not speak for another.
    if (token?.recipient !== undefined) {
      return resultOf(await this.emails.report({ ...outcome, recipientIndex: token.recipient, mayBeUnnamed: true }));
    }
    return resultOf(
      await this.emails.report({ ...outcome, ...(names.length > 0 && { recipient: names }), mayBeUnnamed: true }),
    );
  }
}

function resultOf(result: ReportResult): IncomingResult {
  return result === 'unknown_email' || result === 'unknown_recipient' ? 'unmatched' : result;
}

/** In A-labels, as the addresses of an envelope are. Nothing for a text that is no address. */
function addressIn(text: string | undefined): string[] {
  if (text === undefined) return [];
  try {
    return [parseAddress(text.trim().replace(/^<(.*)>$/, '$1')).envelope];
  } catch {
    return [];
  }
}
