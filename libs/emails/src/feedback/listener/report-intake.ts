import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { ThreadLimitError } from '../../shared/work/work-thread.js';
import type { IncomingReport } from '../incoming/incoming-report.js';
import { IncomingReportsService, type IncomingResult } from '../incoming/incoming-reports.service.js';
import { MAX_RECIPIENTS } from '../reports/limits-of-reports.js';
import { REVERSE_PATH } from '../reports/reverse-path.js';
import type { FeedbackTrust } from './feedback-trust.js';
import type { ReadReport, ReportReader } from './report-reader.js';
import { ReportThread } from './report-thread.js';
import { UnmatchedReports } from './unmatched-reports.js';

/**
 * Bytes of a message that are read: reading a megabyte of short lines takes the time of hundreds of emails. The parts of a
 * report stand in front of the returned message (RFC 3462), of which only the header matters.
 */
const READ_BYTES = 131_072;
const KINDS: readonly string[] = ['delivered', 'deferred', 'bounced', 'failed', 'complained'];
/** Time between two warnings of the same kind. Milliseconds. */
const PACE = 3_600_000;

/** A message that came in. */
export interface IncomingMessage {
  /** The token of the address that it was sent to; undefined for a feedback address. */
  token: string | undefined;
  /** True for the token of one recipient, about whom all reports in the message are. */
  isOfOne: boolean;
  /** Network of the client. */
  network: string;
  /** Reverse-path; empty for the null one, which reports have (RFC 3464 section 2). */
  from: string;
  bytes: Buffer;
}

/**
 * Outcome of a report: `ignored` ones are of a kind that changes nothing, `untrusted` ones of an unknown sender, `unreadable`
 * ones take more time or memory than a report may.
 */
export type ReportOutcome = IncomingResult | 'ignored' | 'untrusted' | 'unreadable';

/** Records the reports in messages. */
@Injectable()
export class ReportIntake {
  private readonly logger = new Logger(ReportIntake.name);
  private readonly warned = new Map<ReportOutcome, number>();
  /** Reports by their outcome, since the start. */
  readonly counts: Record<ReportOutcome, number> = {
    recorded: 0,
    unchanged: 0,
    unmatched: 0,
    ignored: 0,
    untrusted: 0,
    unreadable: 0,
  };

  constructor(
    @Inject(IncomingReportsService) private readonly incoming: Pick<IncomingReportsService, 'record'>,
    @Inject(ReportThread) private readonly reader: ReportReader,
    @Optional() @Inject(UnmatchedReports) private readonly unmatched?: Pick<UnmatchedReports, 'note'>,
  ) {}

  /**
   * Resolves when all reports of the message are committed. A message that cannot be read within its limits is counted, and
   * not asked for again: it would end the thread each time.
   *
   * @throws any error: the message should be sent again
   */
  async take(message: IncomingMessage, trust: Pick<FeedbackTrust, 'admits'>): Promise<void> {
    try {
      await this.takeAll(message, trust);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      this.count('unreadable');
    }
  }

  private async takeAll(message: IncomingMessage, trust: Pick<FeedbackTrust, 'admits'>): Promise<void> {
    // The reader knows a bounce in prose by it.
    const trace = Buffer.from(`${REVERSE_PATH}: <${lineOf(message.from)}>\r\n`);
    const traced = Buffer.concat([trace, message.bytes.subarray(0, READ_BYTES)]);
    const reports = distinct(await this.reader.read(traced, message.network), message);
    if (reports.length === 0) this.count('ignored');
    const isTrusted = reports.some(isComplaint) && (await trust.admits(message.bytes, message.network));
    for (const report of reports) {
      const outcome = await this.record(report, message.token, isTrusted);
      if (outcome === 'unmatched' && message.token === undefined) await this.unmatched?.note();
      this.count(outcome);
    }
  }

  private async record(report: ReadReport, token: string | undefined, isTrusted: boolean): Promise<ReportOutcome> {
    if (isComplaint(report)) return isTrusted ? this.incoming.record(toIncoming(report, token)) : 'untrusted';
    // Only the token proves that a bounce is about our message.
    if (!KINDS.includes(report.kind)) return 'ignored';
    return token === undefined ? 'untrusted' : this.incoming.record(toIncoming(report, token));
  }

  private count(outcome: ReportOutcome): void {
    this.counts[outcome]++;
    if (outcome !== 'unmatched' && outcome !== 'untrusted' && outcome !== 'unreadable') return;
    const now = Date.now();
    if (now - (this.warned.get(outcome) ?? Number.NEGATIVE_INFINITY) < PACE) return;
    this.warned.set(outcome, now);
    this.logger.warn(WARNINGS[outcome]);
  }
}

const WARNINGS = {
  unmatched: 'A report came in that leads to no email. Further ones are not logged for an hour.',
  untrusted:
    'A report came in that does not count: a complaint without a signature of `feedbackSenders`, or a bounce without a ' +
    'token. Further ones are not logged for an hour.',
  unreadable:
    'A report was dropped: reading it took more time or memory than a report may. Further ones are not logged for an hour.',
};

function isComplaint({ kind }: ReadReport): boolean {
  return kind === 'complained';
}

/** The token of the address is proven; within the message it is only text. */
function toIncoming(report: ReadReport, proven: string | undefined): IncomingReport {
  const { kind, status, recipient, originalRecipient, bounce, reasonCode, messageId } = report;
  const reply = wordsOf(report.reply, status);
  const token = proven ?? report.token;
  return {
    kind: kind as IncomingReport['kind'],
    source: isComplaint(report) ? 'feedback' : 'dsn',
    ...(token !== undefined && { token }),
    ...(proven === undefined && messageId !== undefined && { messageId }),
    ...(recipient !== undefined && { recipient }),
    ...(originalRecipient !== undefined && { originalRecipient }),
    ...(reply !== undefined && { reply }),
    ...(bounce !== undefined && { bounce }),
    ...(reasonCode !== undefined && { code: reasonCode }),
  };
}

/** The reply, with the status in front where the server's words lack one. */
function wordsOf(reply: string | undefined, status: string | undefined): string | undefined {
  if (status === undefined || reply === undefined) return reply ?? status;
  return /\b[245]\.\d{1,3}\.\d{1,3}\b/.test(reply.slice(0, 100)) ? reply : `${status} ${reply}`;
}

/** Each report once: with the token of one recipient, one of each kind. */
function distinct(reports: readonly ReadReport[], { token, isOfOne }: IncomingMessage): ReadReport[] {
  const byKey = new Map<string, ReadReport>();
  for (const report of reports) {
    const address = addressKey(report.originalRecipient ?? report.recipient ?? '');
    const reference = token === undefined ? `${report.token} ${report.messageId}` : '';
    const key = isOfOne ? report.kind : `${report.kind} ${address} ${reference}`;
    if (!byKey.has(key)) byKey.set(key, report);
    if (byKey.size === MAX_RECIPIENTS) break;
  }
  return [...byKey.values()];
}

/** Without line ends, so that it adds one field. */
function lineOf(address: string): string {
  return address.replace(/[\r\n]/g, '');
}
