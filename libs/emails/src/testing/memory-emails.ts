import type { Settlement } from '../emails/deliver/settlement.js';
import { type EmailEventType, FIRST_STATE } from '../emails/states/email-states.js';
import { isPending } from '../emails/states/recipient-state.js';
import type { EmailSource } from '../emails/storage/accept/answer.repository.js';
import type {
  AcceptResult,
  EmailContent,
  EmailFilters,
  EmailStore,
  ExportRow,
  FirstAnswer,
  FoundEmail,
  NewEmail,
  PageBounds,
  PageCursor,
  PageRow,
} from '../emails/storage/accept/emails.repository.js';
import type { JoinedTransaction } from '../emails/storage/accept/transactions.js';
import type {
  ChangeResult,
  ChangeStore,
  ReportedEmail,
  ReportedMove,
  ReportOutcome,
} from '../emails/storage/deliver/change.repository.js';
import type { RecordedEvent } from '../emails/storage/deliver/delivery.repository.js';
import { terms } from '../emails/storage/email-terms.js';
import type { MemoryAttachmentStorage } from './memory-attachment-storage.js';
import { MemoryClock } from './memory-clock.js';
import { type EmailHistory, MemoryHistories } from './memory-histories.js';
import type { SentEmails } from './sent-emails.js';
import { timeOf, written } from './written.js';

/** Accepts emails like the database, keeps them in memory and shows them to the test. */
export class MemoryEmails implements EmailStore, ChangeStore {
  readonly clock = new MemoryClock();
  readonly histories = new MemoryHistories(this.clock);
  private readonly emails: FoundEmail[] = [];
  private readonly owners = new Map<string, string>();
  private readonly accepted = new Map<string, NewEmail>();
  private readonly terms = new Map<string, ReadonlySet<string>>();
  private readonly answers = new Map<string, FirstAnswer>();

  constructor(
    private readonly sent: SentEmails,
    private readonly attachments: MemoryAttachmentStorage,
  ) {}

  async accept(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    return emails.map((email) => this.store(email));
  }

  acceptFree(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    return this.accept(emails);
  }

  async findAccepted(): Promise<Map<string, AcceptResult>> {
    return new Map();
  }

  /** Ignores the transaction: emails of a rolled-back one stay recorded. */
  async acceptWithin(_transaction: JoinedTransaction, email: NewEmail): Promise<AcceptResult> {
    return this.store(email);
  }

  async findAnswer(accountId: string, key: string): Promise<FirstAnswer | undefined> {
    return this.answers.get(JSON.stringify([accountId, key]));
  }

  async find(accountId: string, id: string): Promise<FoundEmail | undefined> {
    const email = this.of(accountId).find((one) => one.id === id);
    return email && shown(email);
  }

  /** Account and topic of an email. */
  owned(id: string): { accountId: string; topicId: string | null } | undefined {
    const [accountId, email] = [this.owners.get(id), this.accepted.get(id)];
    return accountId === undefined || !email ? undefined : { accountId, topicId: email.topicId };
  }

  async findSource(accountId: string, id: string): Promise<EmailSource | undefined> {
    const email = this.accepted.get(id);
    const found = await this.find(accountId, id);
    if (!email || !found) return undefined;
    const {
      to,
      cc,
      bcc,
      replyTo,
      headers,
      tags,
      recipients: _,
      attachments,
      html,
      text,
      templateId = null,
      ...rest
    } = email;
    return {
      ...rest,
      templateId,
      to: [...to],
      cc: [...cc],
      bcc: [...bcc],
      replyTo: [...replyTo],
      hasHtml: html !== null && !found.isSensitive,
      hasText: text !== null && !found.isSensitive,
      isEmpty: found.isEmpty,
      isSensitive: found.isSensitive,
      isBulk: found.isBulk,
      contentSize: 0,
      date: timeOf(found.scheduledAt ?? found.createdAt),
      headers: headers.map(([name, value]) => [name, value]),
      tags: [...tags],
      recipients: [...this.histories.of(id).recipients],
      attachments: found.isSensitive ? [] : [...attachments],
    };
  }

  /** No queue waits here. */
  async wakeUps(): Promise<[]> {
    return [];
  }

  async takenMessageIds(accountId: string, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(this.of(accountId).flatMap(({ messageId }) => (messageIds.includes(messageId) ? messageId : [])));
  }

  async findSeq(accountId: string, id: string): Promise<string | undefined> {
    const index = this.of(accountId).findIndex((email) => email.id === id);
    return index < 0 ? undefined : String(index);
  }

  async page(accountId: string, cursor: PageCursor | undefined, bounds: PageBounds): Promise<PageRow[]> {
    return this.rowsOf(this.from(accountId, cursor), bounds);
  }

  async filteredPage(
    accountId: string,
    filters: EmailFilters,
    cursor: PageCursor | undefined,
    bounds: PageBounds,
  ): Promise<PageRow[]> {
    const found = this.from(accountId, cursor).filter((email) => this.passes(email, filters));
    return this.rowsOf(found, bounds);
  }

  async exportPage(
    accountId: string,
    filters: EmailFilters | undefined,
    seq: string | undefined,
    { limit }: Pick<PageBounds, 'limit'>,
  ): Promise<ExportRow[]> {
    const all = this.of(accountId);
    const found = this.matching(accountId, filters, seq).slice(0, limit);
    return found.map((email) => ({ ...email, seq: String(all.indexOf(email)), available: found.length }));
  }

  /** The emails that match, the oldest first. */
  async idsOf(accountId: string, filters: EmailFilters | undefined, beforeSeq: string | undefined): Promise<string[]> {
    return this.matching(accountId, filters, beforeSeq)
      .map(({ id }) => id)
      .reverse();
  }

  async count(accountId: string, filters: EmailFilters | undefined): Promise<number> {
    return this.matching(accountId, filters, undefined).length;
  }

  async contents(accountId: string, ids: readonly string[]): Promise<EmailContent[]> {
    return this.of(accountId)
      .filter(({ id }) => ids.includes(id))
      .map(shown);
  }

  async cancel(accountId: string, id: string): Promise<ChangeResult> {
    return this.change(accountId, id, 'scheduled', 'canceled', (email, history) => {
      email.lastEvent = 'canceled';
      history.nextAttemptAt = null;
    });
  }

  async reschedule(accountId: string, id: string, scheduledAt: string): Promise<ChangeResult> {
    return this.change(accountId, id, 'scheduled', 'scheduled', (email, history) => {
      email.scheduledAt = written(new Date(scheduledAt));
      history.nextAttemptAt = Date.parse(scheduledAt);
    });
  }

  async report<Refusal extends string>(
    accountId: string | undefined,
    id: string,
    decide: (email: ReportedEmail) => ReportedMove | Refusal,
  ): Promise<ReportOutcome<Refusal>> {
    const owner = this.owners.get(id) ?? '';
    const email = this.of(accountId ?? owner).find((one) => one.id === id);
    if (!email) return { kind: 'unknown' };
    const history = this.histories.of(id);
    const reported = history.events.flatMap((event) => (event.source ? { ...event, source: event.source } : []));
    const decided = decide({ accountId: owner, lastEvent: email.lastEvent, reported, ...history });
    if (typeof decided === 'string') return { kind: 'refused', refusal: decided };
    const { place, status, lastEvent, event } = decided;
    const recipient = place === null ? undefined : history.recipients[place];
    if (place !== null && recipient && status !== null) {
      history.recipients = history.recipients.with(place, { ...recipient, status });
    }
    if (!history.recipients.some(isPending)) history.nextAttemptAt = null;
    email.lastEvent = lastEvent;
    const recorded = { ...event, ...this.histories.add(id, event) };
    return { kind: 'recorded', accountId: owner, fence: null, delay: null, isBulk: false, event: recorded };
  }

  /** The emails that are due, the oldest first. */
  due(): NewEmail[] {
    return this.emails.flatMap(({ id }) => {
      const email = this.accepted.get(id);
      const { nextAttemptAt } = this.histories.of(id);
      return email && nextAttemptAt !== null && nextAttemptAt <= this.clock.now() ? [email] : [];
    });
  }

  /** A due email is delivered. @returns the event of one that was scheduled */
  start(id: string): RecordedEvent[] {
    const email = this.emails.find((one) => one.id === id);
    if (email?.lastEvent !== 'scheduled') return [];
    email.lastEvent = 'queued';
    return [{ type: 'queued', ...this.histories.add(id, { type: 'queued' }) }];
  }

  /** An attempt has ended. @returns its events */
  settle(id: string, { recipients, lastEvent, attempts, retryIn, events }: Settlement): RecordedEvent[] {
    const email = this.emails.find((one) => one.id === id);
    if (email) email.lastEvent = lastEvent;
    const nextAttemptAt = retryIn === null ? null : this.clock.now() + retryIn;
    Object.assign(this.histories.of(id), { recipients, attempts, nextAttemptAt });
    return events.map((event) => ({ ...event, ...this.histories.add(id, event) }));
  }

  async retry(accountId: string, id: string): Promise<ChangeResult> {
    return this.change(accountId, id, 'delivery_delayed', null, (_, history) => {
      history.nextAttemptAt = this.clock.now();
    });
  }

  private async change(
    accountId: string,
    id: string,
    from: EmailEventType,
    type: EmailEventType | null,
    move: (email: FoundEmail, history: EmailHistory) => void,
  ): Promise<ChangeResult> {
    const email = this.of(accountId).find((one) => one.id === id);
    if (!email) return { kind: 'unknown' };
    if (email.lastEvent !== from) return { kind: 'standing', lastEvent: email.lastEvent, obstacle: null };
    move(email, this.histories.of(id));
    const event = type && this.histories.add(id, { type });
    return { kind: 'changed', fence: 1, delay: null, isBulk: email.isBulk, event };
  }

  /** Those before a place, the newest first. */
  private matching(accountId: string, filters: EmailFilters | undefined, seq: string | undefined): FoundEmail[] {
    const emails = this.from(accountId, seq === undefined ? undefined : { direction: 'older', seq });
    return filters ? emails.filter((email) => this.passes(email, filters)) : emails;
  }

  /** The nearest to the cursor first. */
  private from(accountId: string, cursor: PageCursor | undefined): FoundEmail[] {
    const emails = this.of(accountId);
    return cursor?.direction === 'newer'
      ? emails.slice(Number(cursor.seq) + 1)
      : emails.slice(0, cursor && Number(cursor.seq)).reverse();
  }

  private passes(email: FoundEmail, { terms, states, messageId, start, end }: EmailFilters): boolean {
    const createdAt = Date.parse(email.createdAt);
    return (
      terms.every((term) => this.terms.get(email.id)?.has(term)) &&
      (states?.includes(email.lastEvent) ?? true) &&
      (messageId === undefined || messageId === email.messageId) &&
      (start === undefined || createdAt >= Date.parse(start)) &&
      (end === undefined || createdAt < Date.parse(end))
    );
  }

  private rowsOf(found: readonly FoundEmail[], { limit, columns }: PageBounds): PageRow[] {
    const emails = found.slice(0, limit);
    return emails.map((email) => ({
      ...shown(email),
      ...(columns === 'summary' && {
        html: null,
        text: null,
        attachments: this.accepted.get(email.id)?.attachments.length ?? 0,
      }),
      contentSize: 0,
      available: emails.length,
    }));
  }

  private of(accountId: string): FoundEmail[] {
    return this.emails.filter(({ id }) => this.owners.get(id) === accountId);
  }

  private store(email: NewEmail): AcceptResult {
    const { id, accountId, messageId, from, subject, html, text, scheduledAt, idempotency, ...rest } = email;
    const key = idempotency && JSON.stringify([accountId, idempotency.key]);
    if (key !== null && this.answers.has(key)) return { accepted: false, busy: null };
    if (this.of(accountId).some((other) => other.messageId === messageId)) throw duplicate();
    if (key !== null) {
      this.answers.set(key, { emailId: id, requestHash: idempotency?.requestHash ?? '' });
    }
    const [to, cc, bcc, replyTo] = [[...rest.to], [...rest.cc], [...rest.bcc], [...rest.replyTo]];
    const content = { id, from, to, cc, bcc, subject, html, text };
    const now = this.clock.now();
    const nextAttemptAt = Math.max(now, scheduledAt === null ? now : Date.parse(scheduledAt));
    const firstEvent = nextAttemptAt > now ? FIRST_STATE.later : FIRST_STATE.now;
    this.owners.set(id, accountId);
    this.accepted.set(id, email);
    this.histories.begin(id, email.recipients, nextAttemptAt);
    this.terms.set(id, new Set([...rest.terms, ...rest.words.map(terms.word)]));
    this.emails.push({
      ...content,
      replyTo,
      messageId,
      scheduledAt: scheduledAt && written(new Date(scheduledAt)),
      createdAt: written(new Date(now)),
      lastEvent: firstEvent,
      tags: [...rest.tags],
      topicId: rest.topicId,
      resentFrom: resentFrom(email),
      isEmpty: email.html === null && email.text === null && email.attachments.length === 0,
      isSensitive: email.sensitive === true,
      isBulk: email.isBulk === true,
      held: null,
      contentSize: 0,
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
      sensitive: email.sensitive === true,
      priority: email.isBulk ? 'bulk' : 'now',
    });
    const event = this.histories.add(id, { type: firstEvent });
    return { accepted: true, delay: 0, firstEvent, eventId: event.id, eventAt: event.createdAt.getTime() };
  }
}

/** An email as routes show it. */
function shown(email: FoundEmail): FoundEmail {
  return email.isSensitive ? { ...email, html: null, text: null } : email;
}

/** PostgreSQL's error for a value that must be unique. */
function duplicate(): Error {
  return Object.assign(new Error('The account has this message id.'), { code: '23505' });
}

/** The original of a resent email. */
function resentFrom(email: NewEmail & { resentFrom?: string }): string | null {
  return email.resentFrom ?? null;
}
