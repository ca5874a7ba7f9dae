import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ALARMS, type Alarms } from '../../shared/alarms/alarms.js';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { subscribe } from '../../shared/events/subscribe.js';
import { ALL, type PageQueryDto } from '../../shared/http/page-query.dto.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import { askedBy, given } from '../../shared/rows/account.repository.js';
import { asId } from '../../shared/rows/account-row.js';
import { findRows } from '../../shared/rows/find-rows.js';
import { toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import type { Given } from '../../shared/validation/given.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import { WEBHOOK_LIMITS } from '../limits.js';
import { EndpointPolicy } from '../net/endpoint-policy.js';
import { SealedSecrets, UnknownKeyError } from '../secrets/sealed-secrets.js';
import { transactBounded } from '../storage/transact-bounded.js';
import { DISABLED, disable, enable, SUBSCRIBER } from '../storage/webhook-status.js';
import { admitEndpoint } from './admit-endpoint.js';
import type { ChangedWebhookDto } from './changed-webhook.dto.js';
import { CreateWebhookDto } from './create-webhook.dto.js';
import { subscribedType } from './event-types.js';
import type { ListedWebhookDto } from './listed-webhook.dto.js';
import type { NewWebhookDto } from './new-webhook.dto.js';
import { UpdateWebhookDto } from './update-webhook.dto.js';
import type { WebhookDto } from './webhook.dto.js';
import { WebhookEntity } from './webhook.entity.js';
import type { WebhookListDto } from './webhook-list.dto.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Advisory-lock namespace of adding a webhook to an account (`hook` in ASCII). */
const ADDING = 0x686f_6f6b;

/** A webhook to create. */
export type WebhookValues = Given<CreateWebhookDto, 'endpoint' | 'events'>;

/** Undefined: as it is. */
export type WebhookChanges = Given<UpdateWebhookDto>;

/**
 * The webhooks of the accounts, by the rules of `/webhooks`. Methods resolve to undefined for a webhook that the
 * account does not have. A value that breaks a rule is refused with an `ApiError`, an invalid account id with a
 * `TypeError`.
 *
 * @example
 * ```ts
 * const webhook = { endpoint: 'https://example.com/hooks', events: ['email.delivered' as const, 'email.bounced' as const] };
 * const { id, signing_secret } = await app.get(WebhooksService).create('acme', webhook);
 * ```
 */
@Injectable()
export class WebhooksService {
  /** @internal Made by `webhooks()`. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: SealedSecrets,
    @Inject(EndpointPolicy) private readonly policy: Pick<EndpointPolicy, 'admit'>,
    @Optional() @Inject(ALARMS) private readonly alarms?: Pick<Alarms, 'end'>,
  ) {}

  /** Creates a webhook for events recorded from now on. @throws ApiError 422 also for the eleventh of an account */
  async create(accountId: string, values: WebhookValues, caller?: Caller): Promise<NewWebhookDto> {
    checkAccountId(accountId);
    const { endpoint, events, status = 'enabled' } = readValues(values, CreateWebhookDto);
    admitEndpoint(this.policy, endpoint);
    const id = randomUUID();
    const { secret, sealed } = this.secrets.make(id);
    const webhook = { id, accountId, endpoint, events: [...new Set(events)], status, secrets: [sealed] };
    await transactBounded(this.dataSource, async (manager) => {
      await this.refuseTooMany(manager, accountId);
      await this.webhooks.insert(webhook, manager);
      if (status === 'enabled') await subscribe(manager, subscriptionOf(webhook));
      await this.webhooks.noteAction(caller, 'webhook.create', id, manager);
    });
    return { object: 'webhook', id, signing_secret: secret };
  }

  /** The account's webhooks, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQueryDto = {}): Promise<WebhookListDto> {
    checkAccountId(accountId);
    return toEnvelope(await this.webhooks.page(accountId, toPageRequest(query, ALL)), listed);
  }

  /** The webhook with this id. @throws ApiError 500 when its secret can no longer be read */
  async find(accountId: string, id: string): Promise<WebhookDto | undefined> {
    checkAccountId(accountId);
    const webhook = await this.webhooks.find(accountId, asId(id));
    if (!webhook) return undefined;
    return { object: 'webhook', ...listed(webhook), signing_secret: this.secretOf(webhook) };
  }

  /** Changes a webhook. */
  async update(
    accountId: string,
    id: string,
    changes: WebhookChanges,
    caller?: Caller,
  ): Promise<ChangedWebhookDto | undefined> {
    checkAccountId(accountId);
    const { endpoint, events, status, id: own, webhook_id } = readValues(changes, UpdateWebhookDto);
    if (endpoint !== undefined) admitEndpoint(this.policy, endpoint);
    checkRepeated({ id: own, webhook_id }, isSameId(id));
    const columns = given({ endpoint, events: events ? [...new Set(events)] : undefined });
    return this.locked(accountId, id, async (manager, before) => {
      const hasColumns = Object.keys(columns).length > 0;
      const webhook =
        (hasColumns && (await this.webhooks.change(accountId, { id: before.id }, columns, manager))) || before;
      const after = status ?? before.status;
      if (after === 'disabled' && before.status === 'enabled') await disable(manager, before.id);
      if (after === 'enabled' && before.status === 'disabled') await enable(manager, before.id);
      if (after === 'enabled') {
        await subscribe(manager, subscriptionOf({ ...webhook, id: before.id, accountId }));
      }
      const asked = askedBy(caller, given({ ...columns, status }));
      await this.webhooks.noteAction(asked, 'webhook.update', before.id, manager);
      if (after === 'enabled' && before.status === 'disabled') await this.endAlarm(accountId, before.id, manager);
      return { object: 'webhook', id: before.id };
    });
  }

  /** Deletes a webhook and its log; nothing more is sent to it. @returns the id */
  async remove(accountId: string, id: string, caller?: Caller): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.locked(accountId, id, async (manager, { id: found }) => {
      await disable(manager, found);
      await manager.query('DELETE FROM nestjs_emails.webhooks WHERE id = $1', [found]);
      await this.webhooks.noteAction(caller, 'webhook.delete', found, manager);
      await this.endAlarm(accountId, found, manager);
      return found;
    });
  }

  /** Creates a new signing secret; the old one also signs for a day. @throws ApiError 422 without a secret key */
  async rotate(accountId: string, id: string, caller?: Caller): Promise<NewWebhookDto | undefined> {
    checkAccountId(accountId);
    return this.locked(accountId, id, async (manager, { id: found, secrets }) => {
      const { secret, sealed } = this.secrets.make(found);
      // Workers pause a webhook that they cannot sign for; the new secret ends the pause.
      const wasLost = secrets.slice(0, 1).some((newest) => !this.secrets.knows(newest));
      const columns = { secrets: this.secrets.rotated(secrets, sealed), ...(wasLost && { leasedUntil: null }) };
      await this.webhooks.change(accountId, { id: found }, columns, manager);
      await this.webhooks.noteAction(caller, 'webhook.rotate_secret', found, manager);
      return { object: 'webhook', id: found, signing_secret: secret };
    });
  }

  private async endAlarm(account: string, subject: string, manager: EntityManager): Promise<void> {
    await this.alarms?.end({ code: DISABLED, account, subject }, manager);
  }

  /** Until the transaction ends, no other one changes the webhook or writes an event into its log. */
  private async locked<T>(
    accountId: string,
    id: string,
    work: (manager: EntityManager, webhook: WebhookEntity) => Promise<T>,
  ): Promise<T | undefined> {
    const key = asId(id);
    if (!key) return undefined;
    return transactBounded(this.dataSource, async (manager) => {
      const locked = { mode: 'pessimistic_write' } as const;
      const rows = manager.getRepository(WebhookEntity);
      const [webhook] = await findRows(rows, { where: { ...key, accountId }, lock: locked });
      return webhook ? work(manager, webhook) : undefined;
    });
  }

  private async refuseTooMany(manager: EntityManager, accountId: string): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ADDING, accountId]);
    if ((await manager.countBy(WebhookEntity, { accountId })) >= WEBHOOK_LIMITS.webhooks.max)
      throw ApiError.invalid(`An account may have ${WEBHOOK_LIMITS.webhooks.max} webhooks. Delete one first.`);
  }

  private secretOf({ id, secrets }: WebhookEntity): string {
    try {
      return this.secrets.valid(id, secrets.slice(0, 1))[0] ?? '';
    } catch (error) {
      if (!(error instanceof UnknownKeyError)) throw error;
      throw new ApiError(
        500,
        'application_error',
        'The signing secret of this webhook cannot be read: the secret key of this server was changed. Rotate it.',
      );
    }
  }
}

function listed({ id, createdText, status, endpoint, events }: WebhookEntity): ListedWebhookDto {
  return { id, created_at: createdText, status, endpoint, events };
}

function subscriptionOf({ id, accountId, events }: Pick<WebhookEntity, 'id' | 'accountId' | 'events'>) {
  return { subscriber: SUBSCRIBER, key: id, accountId, types: events.map(subscribedType) };
}
