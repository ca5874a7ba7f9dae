import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { DEFAULT_LIMIT } from '../../shared/http/page-query.dto.js';
import { readQuery } from '../../shared/http/query.js';
import { asId } from '../../shared/rows/account-row.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { type Page, toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { parseIsoTime } from '../../shared/text/iso-time.js';
import type { Given } from '../../shared/validation/given.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { testEvent } from '../deliver/test-event.js';
import { isTestEventType, type WebhookEventType } from '../endpoints/event-types.js';
import type { WebhookStatus } from '../endpoints/webhook.entity.js';
import { WEBHOOK_LIMITS } from '../limits.js';
import { WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import * as sql from '../storage/log.sql.js';
import { transactBounded } from '../storage/transact-bounded.js';
import { WAKE } from '../webhooks.tokens.js';
import type { ListedWebhookEventDto } from './listed-webhook-event.dto.js';
import { LogQueryDto } from './log-query.dto.js';
import { ReplayWebhookDto } from './replay-webhook.dto.js';
import type { ReplayedWebhookDto } from './replayed-webhook.dto.js';
import type { ReplayedWebhookEventDto } from './replayed-webhook-event.dto.js';
import { TestWebhookDto } from './test-webhook.dto.js';
import type { WebhookAttemptDto } from './webhook-attempt.dto.js';
import type { WebhookAttemptListDto } from './webhook-attempt-list.dto.js';
import type { WebhookEventDto } from './webhook-event.dto.js';
import type { WebhookEventListDto } from './webhook-event-list.dto.js';
import type { WebhookEventStatus } from './webhook-event-status.js';
import type { WebhookStatisticsDto } from './webhook-statistics.dto.js';
import type { WebhookStatisticsListDto } from './webhook-statistics-list.dto.js';

/** Events to replay. */
export type ReplayWebhookValues = Given<ReplayWebhookDto, 'since'>;

/** The test event to send. */
export type TestWebhookValues = Given<TestWebhookDto>;

const EVENT_ID = /^msg_[0-9A-Za-z]{27}$/;
const ATTEMPT_ID = /^atmpt_[0-9A-Za-z]{27}$/;

interface EventRow {
  eventId: string;
  type: WebhookEventType;
  createdAt: Date;
  status: WebhookEventStatus;
  attempts: number;
  emailId: string | null;
  recipient: string | null;
}

type CountedRow = Omit<WebhookStatisticsDto, 'success_rate'>;

interface FoundWebhook {
  status: WebhookStatus;
  events: WebhookEventType[];
}

interface AttemptRow {
  id: string;
  httpStatusCode: number;
  response: string;
  sentAt: Date;
}

/**
 * The events sent to webhooks, and the answers.
 *
 * @example
 * ```ts
 * const log = app.get(WebhookEventsService);
 * const events = await log.list('acme', 'the id of a webhook', { limit: 10 });
 * for (const { id } of events?.data ?? []) await log.replay('acme', 'the id of a webhook', id);
 * ```
 */
@Injectable()
export class WebhookEventsService {
  /**
   * @internal Made by `webhooks()`.
   * @param wake wakes the webhook workers of this process
   */
  constructor(
    private readonly dataSource: DataSource,
    @Inject(WebhookDeliveryRepository) private readonly repository: Pick<WebhookDeliveryRepository, 'record'>,
    @Inject(WAKE) private readonly wake: () => void,
    @Optional() @Inject(ACTION_LOG) private readonly log?: ActionLog,
  ) {}

  /** The newest first. Undefined: no such webhook. @throws ApiError 422 also for a cursor that is not an event of it */
  async list(accountId: string, webhookId: string, query: LogQueryDto = {}): Promise<WebhookEventListDto | undefined> {
    checkAccountId(accountId);
    const { limit, after } = readLogQuery(query);
    if (!(await this.webhookOf(accountId, webhookId))) return undefined;
    if (after !== undefined && !(await this.row(webhookId, after))) refuseCursor();
    const rows = await this.read<EventRow>(sql.PAGE, [webhookId, limit + 1, after ?? null]);
    return toEnvelope(pageOf(rows, limit), listed);
  }

  /** Undefined: no such webhook, or no such event of it. */
  async find(accountId: string, webhookId: string, eventId: string): Promise<WebhookEventDto | undefined> {
    const row = await this.eventOf(accountId, webhookId, eventId);
    if (!row) return undefined;
    const { dueAt, payload } = row;
    const next_attempt_at = dueAt?.toISOString() ?? null;
    return { object: 'webhook_event', ...listed(row), next_attempt_at, payload: JSON.parse(payload) };
  }

  /**
   * The newest first. Undefined: no such webhook, or no such event of it.
   *
   * @throws ApiError 422 also for a cursor that is not an attempt of it
   */
  async attempts(
    accountId: string,
    webhookId: string,
    eventId: string,
    query: LogQueryDto = {},
  ): Promise<WebhookAttemptListDto | undefined> {
    const { limit, after } = readLogQuery(query);
    if (!(await this.eventOf(accountId, webhookId, eventId))) return undefined;
    const position = after === undefined ? null : await this.positionOf(webhookId, eventId, after);
    const rows = await this.read<AttemptRow>(sql.ATTEMPTS, [webhookId, eventId, limit + 1, position]);
    return toEnvelope(pageOf(rows, limit), attempted);
  }

  /**
   * Delivers the event once more now, in addition to the schedule. Undefined: no such webhook, or no such event of it.
   *
   * @throws ApiError 422 while the webhook is disabled
   */
  async replay(
    accountId: string,
    webhookId: string,
    eventId: string,
    caller?: Caller,
  ): Promise<ReplayedWebhookEventDto | undefined> {
    if (!(await this.eventOf(accountId, webhookId, eventId))) return undefined;
    const values = [accountId, webhookId, eventId, WEBHOOK_LIMITS.replays.max];
    const isReplayed = await transactBounded(this.dataSource, async (manager) => {
      const rows = await manager.query<unknown[]>(sql.REPLAY, values);
      if (rows.length === 0) return false;
      if (caller) await this.log?.record(caller, { action: 'webhook_event.replay', ids: [eventId] }, manager);
      return true;
    });
    if (!isReplayed) refuseDisabled();
    this.wake();
    return { object: 'webhook_event', id: eventId };
  }

  /**
   * Replays a group of up to 1,000 failed events, the oldest first; `last` of the answer is the `after` of the next
   * group. Undefined: no such webhook.
   *
   * @throws ApiError 422 while the webhook is disabled, and for a cursor that is not an event of it
   */
  async replayFailed(
    accountId: string,
    webhookId: string,
    values: ReplayWebhookValues,
    caller?: Caller,
  ): Promise<ReplayedWebhookDto | undefined> {
    checkAccountId(accountId);
    const { since, after } = readValues(values, ReplayWebhookDto);
    if (!(await this.webhookOf(accountId, webhookId))) return undefined;
    if (after !== undefined && !(await this.row(webhookId, after))) refuseCursor();
    const { max } = WEBHOOK_LIMITS.replayed;
    const asked = [accountId, webhookId, parseIsoTime(since), after ?? null, max];
    const group = await transactBounded(this.dataSource, async (manager) => {
      const [replayed] = await manager.query<{ count: number; last: string | null }[]>(sql.REPLAY_FAILED, asked);
      if (caller && replayed && replayed.count > 0) {
        const action = { action: 'webhook.replay', ids: [webhookId], count: replayed.count } as const;
        await this.log?.record(caller, action, manager);
      }
      return replayed;
    });
    if (!group) refuseDisabled();
    const { count, last } = group;
    if (count > 0) this.wake();
    return { object: 'webhook', id: webhookId, replayed: count, has_more: count === max, last };
  }

  /**
   * Writes an event of made-up data into the log of the webhook, from which it is sent like any other. Undefined: no such
   * webhook.
   *
   * @throws ApiError 422 while the webhook is disabled
   */
  async test(
    accountId: string,
    webhookId: string,
    values: TestWebhookValues = {},
    caller?: Caller,
  ): Promise<ReplayedWebhookEventDto | undefined> {
    checkAccountId(accountId);
    const { type } = readValues(values, TestWebhookDto);
    const webhook = await this.webhookOf(accountId, webhookId);
    if (!webhook) return undefined;
    if (webhook.status === 'disabled') refuseDisabled();
    const event = testEvent(type ?? webhook.events.find(isTestEventType) ?? 'email.delivered', accountId);
    await transactBounded(this.dataSource, async (manager) => {
      await this.repository.record(manager, [{ ...event, emailId: null, webhookIds: [webhookId], people: [] }]);
      if (caller) await this.log?.record(caller, { action: 'webhook.test', ids: [webhookId] }, manager);
    });
    this.wake();
    return { object: 'webhook_event', id: event.id };
  }

  /** The latest events of each webhook of the account in numbers. */
  async statistics(accountId: string): Promise<WebhookStatisticsListDto> {
    checkAccountId(accountId);
    const rows = await this.read<CountedRow>(sql.STATISTICS, [accountId, WEBHOOK_LIMITS.counted.max]);
    return toEnvelope({ items: rows, hasMore: false }, counted);
  }

  private async eventOf(accountId: string, webhookId: string, eventId: string) {
    checkAccountId(accountId);
    return (await this.webhookOf(accountId, webhookId)) && this.row(webhookId, eventId);
  }

  private async webhookOf(accountId: string, webhookId: string): Promise<FoundWebhook | undefined> {
    if (!asId(webhookId)) return undefined;
    const [webhook] = await this.read<FoundWebhook>(sql.FIND_WEBHOOK, [accountId, webhookId]);
    return webhook;
  }

  private async positionOf(webhookId: string, eventId: string, attemptId: string): Promise<string> {
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

/** @throws ApiError 422 */
function readLogQuery(query: LogQueryDto): { limit: number; after: string | undefined } {
  const { limit = DEFAULT_LIMIT, after } = readQuery(LogQueryDto, { ...query });
  return { limit: Number(limit), after };
}

function refuseCursor(): never {
  throw ApiError.invalid('`after` must be the id of an object in this list.');
}

function refuseDisabled(): never {
  throw ApiError.invalid('This webhook is disabled: nothing is sent to it. Enable it first.');
}

function pageOf<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

function listed({ eventId, type, createdAt, status, attempts, emailId, recipient }: EventRow): ListedWebhookEventDto {
  return { id: eventId, type, created_at: createdAt.toISOString(), status, attempts, email_id: emailId, recipient };
}

function counted({ id, events, success, failed, attempting, pending }: CountedRow): WebhookStatisticsDto {
  const tried = events - pending;
  const rate = tried === 0 ? null : success / tried;
  return { id, events, success, failed, attempting, pending, success_rate: rate };
}

function attempted({ id, httpStatusCode, response, sentAt }: AttemptRow): WebhookAttemptDto {
  return { id, http_status_code: httpStatusCode, response, sent_at: sentAt.toISOString() };
}
