import type { EntityManager } from 'typeorm';
import { FIRST_STATE } from '../emails/states/email-states.js';
import type { EmailSource } from '../emails/storage/answer.repository.js';
import type {
  AcceptResult,
  EmailFilters,
  EmailStore,
  FirstAnswer,
  ListedEmail,
  NewEmail,
  PageBounds,
  PageCursor,
  PageRow,
} from '../emails/storage/email.repository.js';
import type { MemoryAttachmentStorage } from './memory-attachment-storage.js';
import type { SentEmails } from './sent-emails.js';

/** Takes emails as the database does, keeps them in memory and shows them to the test. */
export class MemoryEmails implements EmailStore {
  private readonly emails: ListedEmail[] = [];
  private readonly owners = new Map<string, string>();
  private readonly taken = new Map<string, NewEmail>();
  private readonly terms = new Map<string, ReadonlySet<string>>();
  private readonly answers = new Map<string, FirstAnswer>();

  constructor(
    private readonly sent: SentEmails,
    private readonly attachments: MemoryAttachmentStorage,
  ) {}

  async accept(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    return emails.map((email) => this.take(email));
  }

  acceptFree(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    return this.accept(emails);
  }

  async findAccepted(): Promise<Map<string, AcceptResult>> {
    return new Map();
  }

  /** Knows nothing of the transaction: what is rolled back later stays recorded. */
  async acceptWithin(_transaction: EntityManager, email: NewEmail): Promise<AcceptResult> {
    return this.take(email);
  }

  async findAnswer(accountId: string, key: string): Promise<FirstAnswer | undefined> {
    return this.answers.get(JSON.stringify([accountId, key]));
  }

  async find(accountId: string, id: string): Promise<ListedEmail | undefined> {
    return this.of(accountId).find((email) => email.id === id);
  }

  async findSource(accountId: string, id: string): Promise<EmailSource | undefined> {
    const email = this.taken.get(id);
    if (email?.accountId !== accountId) return undefined;
    const { to, cc, bcc, replyTo, headers, tags, recipients, attachments, html, text, ...rest } = email;
    return {
      ...rest,
      to: [...to],
      cc: [...cc],
      bcc: [...bcc],
      replyTo: [...replyTo],
      hasHtml: html !== null,
      hasText: text !== null,
      headers: headers.map(([name, value]) => [name, value]),
      tags: [...tags],
      recipients: [...recipients],
      attachments: [...attachments],
    };
  }

  async findSeq(accountId: string, id: string): Promise<string | undefined> {
    const index = this.of(accountId).findIndex((email) => email.id === id);
    return index < 0 ? undefined : String(index);
  }

  async page(accountId: string, cursor: PageCursor | undefined, { limit }: PageBounds): Promise<PageRow[]> {
    return toRows(this.from(accountId, cursor).slice(0, limit));
  }

  async filteredPage(
    accountId: string,
    filters: EmailFilters,
    cursor: PageCursor | undefined,
    { limit }: PageBounds,
  ): Promise<PageRow[]> {
    const found = this.from(accountId, cursor).filter((email) => this.passes(email, filters));
    return toRows(found.slice(0, limit));
  }

  async contents(): Promise<[]> {
    return [];
  }

  /** Those next to the cursor first. */
  private from(accountId: string, cursor: PageCursor | undefined): ListedEmail[] {
    const emails = this.of(accountId);
    return cursor?.direction === 'newer'
      ? emails.slice(Number(cursor.seq) + 1)
      : emails.slice(0, cursor && Number(cursor.seq)).reverse();
  }

  private passes(email: ListedEmail, { terms, states, messageId, start, end }: EmailFilters): boolean {
    const createdAt = Date.parse(email.createdAt);
    return (
      terms.every((term) => this.terms.get(email.id)?.has(term)) &&
      (states?.includes(email.lastEvent) ?? true) &&
      (messageId === undefined || messageId === email.messageId) &&
      (start === undefined || createdAt >= Date.parse(start)) &&
      (end === undefined || createdAt < Date.parse(end))
    );
  }

  private of(accountId: string): ListedEmail[] {
    return this.emails.filter(({ id }) => this.owners.get(id) === accountId);
  }

  private take(email: NewEmail): AcceptResult {
    const { id, accountId, messageId, from, subject, html, text, scheduledAt, idempotency, ...rest } = email;
    const key = idempotency && JSON.stringify([accountId, idempotency.key]);
    if (key !== null) {
      if (this.answers.has(key)) return { accepted: false, busy: null };
      this.answers.set(key, { emailId: id, requestHash: idempotency?.requestHash ?? '' });
    }
    const [to, cc, bcc, replyTo] = [[...rest.to], [...rest.cc], [...rest.bcc], [...rest.replyTo]];
    const content = { id, from, to, cc, bcc, subject, html, text };
    const firstEvent =
      scheduledAt !== null && Date.parse(scheduledAt) > Date.now() ? FIRST_STATE.later : FIRST_STATE.now;
    this.owners.set(id, accountId);
    this.taken.set(id, email);
    this.terms.set(id, new Set(rest.terms));
    this.emails.push({
      ...content,
      replyTo,
      messageId,
      scheduledAt: scheduledAt && written(new Date(scheduledAt)),
      createdAt: written(new Date()),
      lastEvent: firstEvent,
    });
    this.sent.record({
      ...content,
      accountId,
      reply_to: replyTo,
      headers: Object.fromEntries(rest.headers),
      tags: rest.tags,
      topic_id: rest.topicId,
      scheduled_at: scheduledAt,
      attachments: rest.attachments.map(({ filename, contentType, contentId, contentHash }) => ({
        filename,
        content_type: contentType,
        content_id: contentId,
        content: this.attachments.content(contentHash),
      })),
      idempotencyKey: idempotency?.key ?? null,
    });
    return { accepted: true, delay: 0, firstEvent, eventId: String(this.emails.length), eventAt: Date.now() };
  }
}

function toRows(emails: readonly ListedEmail[]): PageRow[] {
  return emails.map((email) => ({ ...email, contentSize: 0, available: emails.length }));
}

/** As the contract writes times (section 3). */
function written(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '000+00');
}
