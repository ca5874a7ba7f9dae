import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { type PageQuery, toPageRequest } from '../../shared/http/page-query.js';
import { asId } from '../../shared/rows/account-row.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { type ListEnvelope, type Page, toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import type { WebhookEventType } from '../endpoints/event-types.js';
import type { WebhookStatus } from '../endpoints/webhook.entity.js';
import * as sql from '../storage/log.sql.js';
import { transactBounded } from '../storage/transact-bounded.js';

/** Deliveries by hand of an event that wait, at most. */
const MOST_REPLAYS = 10;
const EVENT_ID = /^msg_[0-9A-Za-z]{27}$/;
const ATTEMPT_ID = /^atmpt_[0-9A-Za-z]{27}$/;

/** A page of what is read from the newest on. */
export type LogQuery = Omit<PageQuery, 'before'>;

/** How the delivery of an event stands: `pending` none tried, `attempting` failed and more to come. */
export type WebhookEventStatus = 'pending' | 'attempting' | 'success' | 'failed';

/** An event in the log of a webhook. */
export interface ListedWebhookEvent {
  /** `msg_…` */
  id: string;
  type: WebhookEventType;
  /** Of the event, `2026-11-22T05:26:01.123Z`. */
  created_at: string;
  status: WebhookEventStatus;
}

/** The same with what was sent. */
export interface WebhookEventRecord extends ListedWebhookEvent {
  object: 'webhook_event';
  next_attempt_at: string | null;
  payload: Readonly<Record<string, unknown>>;
}

/** A request that was made. */
export interface WebhookAttemptRecord {
  /** `atmpt_…` */
  id: string;
  /** 0 where there was no answer: `response` says why. */
  http_status_code: number;
  /** The beginning of the answer's body. */
  response: string;
  sent_at: string;
}

/** An event that is sent again. */
export interface ReplayedWebhookEvent {
  object: 'webhook_event';
  id: string;
}

interface EventRow {
  eventId: string;
  type: WebhookEventType;
  createdAt: Date;
  status: WebhookEventStatus;
}

interface AttemptRow {
  id: string;
  httpStatusCode: number;
  response: string;
  sentAt: Date;
}

/** What was sent to webhooks, and what they answered. */
@Injectable()
export class WebhookEventsService {
  /**
   * @internal Made by `WebhooksModule`.
   * @param wake whoever sends in this process
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly wake: () => void,
  ) {}

  /** The newest first. Undefined: no such webhook. @throws ApiError 422 also for a cursor that is no event of it */
  async list(
    accountId: string,
    webhookId: string,
    query: LogQuery = {},
  ): Promise<ListEnvelope<ListedWebhookEvent> | undefined> {
    checkAccountId(accountId);
    const { limit, after } = readLogQuery(query);
    if (!(await this.statusOf(accountId, webhookId))) return undefined;
    if (after !== undefined && !(await this.row(webhookId, after))) refuseCursor();
    const rows = await this.read<EventRow>(sql.PAGE, [webhookId, limit + 1, after ?? null]);
    return toEnvelope(pageOf(rows, limit), listed);
  }

  /** Undefined: no such webhook, or no such event of it. */
  async find(accountId: string, webhookId: string, eventId: string): Promise<WebhookEventRecord | undefined> {
    const row = await this.eventOf(accountId, webhookId, eventId);
    if (!row) return undefined;
    const { dueAt, payload } = row;
    const next_attempt_at = dueAt?.toISOString() ?? null;
    return { object: 'webhook_event', ...listed(row), next_attempt_at, payload: JSON.parse(payload) };
  }

  /**
   * The newest first. Undefined: no such webhook, or no such event of it.
   *
   * @throws ApiError 422 also for a cursor that is no attempt of it
   */
  async attempts(
    accountId: string,
    webhookId: string,
    eventId: string,
    query: LogQuery = {},
  ): Promise<ListEnvelope<WebhookAttemptRecord> | undefined> {
    const { limit, after } = readLogQuery(query);
    if (!(await this.eventOf(accountId, webhookId, eventId))) return undefined;
    const place = after === undefined ? null : await this.placeOf(webhookId, eventId, after);
    const rows = await this.read<AttemptRow>(sql.ATTEMPTS, [webhookId, eventId, limit + 1, place]);
    return toEnvelope(pageOf(rows, limit), attempted);
  }

  /**
   * One more delivery now, beside the running schedule. Undefined: no such webhook, or no such event of it.
   *
   * @throws ApiError 422 while the webhook is disabled
   */
  async replay(accountId: string, webhookId: string, eventId: string): Promise<ReplayedWebhookEvent | undefined> {
    if (!(await this.eventOf(accountId, webhookId, eventId))) return undefined;
    const values = [accountId, webhookId, eventId, MOST_REPLAYS];
    const replayed = await transactBounded(this.dataSource, (manager) => manager.query<unknown[]>(sql.REPLAY, values));
    if (replayed.length === 0)
      throw ApiError.invalid('This webhook is disabled: nothing is sent to it. Enable it first.');
    this.wake();
    return { object: 'webhook_event', id: eventId };
  }

  private async eventOf(accountId: string, webhookId: string, eventId: string) {
    checkAccountId(accountId);
    return (await this.statusOf(accountId, webhookId)) && this.row(webhookId, eventId);
  }

  private async statusOf(accountId: string, webhookId: string): Promise<WebhookStatus | undefined> {
    if (!asId(webhookId)) return undefined;
    const [webhook] = await this.read<{ status: WebhookStatus }>(sql.FIND_WEBHOOK, [accountId, webhookId]);
    return webhook?.status;
  }

  private async placeOf(webhookId: string, eventId: string, attemptId: string): Promise<string> {
    if (!ATTEMPT_ID.test(attemptId)) refuseCursor();
    const values = [webhookId, eventId, attemptId];
    const [attempt] = await this.read<{ number: string }>(sql.FIND_ATTEMPT, values);
    return attempt?.number ?? refuseCursor();
  }

  private async row(webhookId: string, eventId: string) {
    if (!EVENT_ID.test(eventId)) return undefined;
    const [row] = await this.read<EventRow & { dueAt: Date | null; payload: string }>(sql.FIND, [webhookId, eventId]);
    return row;
  }

  private read<Row>(statement: string, values: unknown[]): Promise<Row[]> {
    return onMaster(this.dataSource, (manager) => manager.query(statement, values));
  }
}

/** @throws ApiError 422 for a `before` too: there is none in these lists */
function readLogQuery({ limit, after, before }: PageQuery): { limit: number; after: string | undefined } {
  if (before !== undefined) throw ApiError.invalid('`before` must be left out: this list is read from the newest on.');
  return { limit: toPageRequest({ limit }).limit, after };
}

function refuseCursor(): never {
  throw ApiError.invalid('`after` must be the id of an object in this list.');
}

function pageOf<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

function listed({ eventId, type, createdAt, status }: EventRow): ListedWebhookEvent {
  return { id: eventId, type, created_at: createdAt.toISOString(), status };
}

function attempted({ id, httpStatusCode, response, sentAt }: AttemptRow): WebhookAttemptRecord {
  return { id, http_status_code: httpStatusCode, response, sent_at: sentAt.toISOString() };
}
