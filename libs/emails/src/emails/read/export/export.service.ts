import { Inject, Injectable } from '@nestjs/common';
import { csvRecord } from '../../../shared/text/csv.js';
import type { EmailFilters, ExportRow } from '../../storage/accept/emails.repository.js';
import { type EmailStore, EmailsRepository } from '../../storage/accept/emails.repository.js';
import { ListingService } from '../listing.service.js';

/** Emails that are read at a time. */
const ROWS = 500;
/** Bytes of summaries that are read at a time, of one email at least. */
const BYTES = 500_000;

/** Columns of the file, and their cells. */
const COLUMNS: Readonly<Record<string, (email: ExportRow) => string>> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  from: ({ from }) => from,
  to: ({ to }) => to.join(', '),
  cc: ({ cc }) => cc.join(', '),
  bcc: ({ bcc }) => bcc.join(', '),
  reply_to: ({ replyTo }) => replyTo.join(', '),
  subject: ({ subject }) => subject,
  last_event: ({ lastEvent }) => lastEvent,
  scheduled_at: ({ scheduledAt }) => scheduledAt ?? '',
  tags: ({ tags }) => tags.map(({ name, value }) => `${name}:${value}`).join(', '),
  topic_id: ({ topicId }) => topicId ?? '',
  message_id: ({ messageId }) => messageId,
};

/** Names of the columns, in their order. */
export const EXPORT_COLUMNS = Object.keys(COLUMNS);

/** Writes an account's emails as CSV, newest first, a page at a time: no transaction lasts longer than its page. */
@Injectable()
export class ExportService {
  constructor(
    @Inject(EmailsRepository) private readonly repository: Pick<EmailStore, 'exportPage'>,
    private readonly listing: ListingService,
  ) {}

  /**
   * Resolves once the first page is read. The next is read when the previous piece was taken.
   *
   * @param filters undefined: all emails
   * @throws ApiError 422 when the filters take too long; later pages reject with it
   */
  async open(accountId: string, filters: EmailFilters | undefined): Promise<AsyncGenerator<string>> {
    const read = (seq?: string) =>
      this.listing.inTurn(accountId, () =>
        this.repository.exportPage(accountId, filters, seq, { limit: ROWS, maxBytes: BYTES }),
      );
    return piecesOf(await read(), read);
  }
}

async function* piecesOf(
  first: readonly ExportRow[],
  read: (seq: string) => Promise<readonly ExportRow[]>,
): AsyncGenerator<string> {
  const cells = Object.values(COLUMNS);
  let text = csvRecord(EXPORT_COLUMNS);
  for (let page = first; ; ) {
    yield text + page.map((email) => csvRecord(cells.map((cell) => cell(email)))).join('');
    const last = page.at(-1);
    const isWhole = page.length === (page[0]?.available ?? 0);
    if (!last || (isWhole && page.length < ROWS)) return;
    text = '';
    page = await read(last.seq);
  }
}
