import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { type PageQuery, toPageRequest } from '../../shared/http/page-query.js';
import { asId } from '../../shared/rows/account-row.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { type ListEnvelope, toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import type { WebhookEventType } from '../endpoints/event-types.js';
import type { WebhookStatus } from '../endpoints/webhook.entity.js';
import * as sql from '../storage/log.sql.js';

/** Attempts that are shown of an event: more are there only when it was sent again and again by hand. */
const MOST_ATTEMPTS = 1_000;
/** Deliveries by hand of an event that wait, at most. */
const MOST_REPLAYS = 10;
const EVENT_ID = /^msg_[0-9A-Za-z]{27}$/;

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
    { limit, after, before }: PageQuery = {},
  ): Promise<ListEnvelope<ListedWebhookEvent> | undefined> {
    checkAccountId(accountId);
    if (before !== undefined)
      throw ApiError.invalid('`before` must be left out: this list is read from the newest on.');
    const page = toPageRequest({ limit });
    if (!(await this.statusOf(accountId, webhookId))) return undefined;
    if (after !== undefined && !(await this.row(webhookId, after)))
      throw ApiError.invalid('`after` must be the id of an object in this list.');
    const rows = await this.read<EventRow>(sql.PAGE, [webhookId, page.limit + 1, after ?? null]);
    return toEnvelope({ items: rows.slice(0, page.limit), hasMore: rows.length > page.limit }, listed);
  }

  /** Undefined: no such webhook, or no such event of it. */
  async find(accountId: string, webhookId: string, eventId: string): Promise<WebhookEventRecord | undefined> {
    const row = await this.eventOf(accountId, webhookId, eventId);
    if (!row) return undefined;
    const { dueAt, payload } = row;
    const next_attempt_at = dueAt?.toISOString() ?? null;
    return { object: 'webhook_event', ...listed(row), next_attempt_at, payload: JSON.parse(payload) };
  }

  /** The newest first. Undefined: no such webhook, or no such event of it. */
  async attempts(
    accountId: string,
    webhookId: string,
    eventId: string,
  ): Promise<ListEnvelope<WebhookAttemptRecord> | undefined> {
    if (!(await this.eventOf(accountId, webhookId, eventId))) return undefined;
    const rows = await this.read<AttemptRow>(sql.ATTEMPTS, [webhookId, eventId, MOST_ATTEMPTS + 1]);
    return toEnvelope({ items: rows.slice(0, MOST_ATTEMPTS), hasMore: rows.length > MOST_ATTEMPTS }, attempted);
  }

  /**
   * One more delivery now, beside the running schedule. Undefined: no such webhook, or no such event of it.
   *
   * @throws ApiError 422 while the webhook is disabled
   */
  async replay(accountId: string, webhookId: string, eventId: string): Promise<ReplayedWebhookEvent | undefined> {
    if (!(await this.eventOf(accountId, webhookId, eventId))) return undefined;
    if ((await this.statusOf(accountId, webhookId)) !== 'enabled')
      throw ApiError.invalid('This webhook is disabled: nothing is sent to it. Enable it first.');
    await this.dataSource.query(sql.REPLAY, [webhookId, eventId, MOST_REPLAYS]);
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

  private async row(webhookId: string, eventId: string) {
    if (!EVENT_ID.test(eventId)) return undefined;
    const [row] = await this.read<EventRow & { dueAt: Date | null; payload: string }>(sql.FIND, [webhookId, eventId]);
    return row;
  }

  private read<Row>(statement: string, values: unknown[]): Promise<Row[]> {
    return onMaster(this.dataSource, (manager) => manager.query(statement, values));
  }
}

function listed({ eventId, type, createdAt, status }: EventRow): ListedWebhookEvent {
  return { id: eventId, type, created_at: createdAt.toISOString(), status };
}

function attempted({ id, httpStatusCode, response, sentAt }: AttemptRow): WebhookAttemptRecord {
  return { id, http_status_code: httpStatusCode, response, sent_at: sentAt.toISOString() };
}
