import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { subscribe } from '../../shared/events/subscribe.js';
import { ALL, type PageQuery, toPageRequest } from '../../shared/http/page-query.js';
import type { EndpointPolicy } from '../../shared/net/endpoint-policy.js';
import { asId } from '../../shared/rows/account-row.js';
import { AccountRows, given } from '../../shared/rows/account-rows.js';
import { type ListEnvelope, toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { readChanges, readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import { type SealedSecrets, UnknownKeyError } from '../secrets/sealed-secrets.js';
import { transactBounded } from '../storage/transact-bounded.js';
import { disable, enable, SUBSCRIBER } from '../storage/webhook-status.js';
import { subscribedType, type WebhookEventType } from './event-types.js';
import { WebhookEntity, type WebhookStatus } from './webhook.entity.js';
import { endpointRule, webhookFields } from './webhook.fields.js';

/** Webhooks of an account, at most. */
const MOST = 10;
/** Of who adds one to an account: `hook` in ASCII. */
const ADDING = 0x686f_6f6b;

/** A webhook in a list. */
export interface ListedWebhook {
  id: string;
  created_at: string;
  status: WebhookStatus;
  endpoint: string;
  events: WebhookEventType[];
}

/** A webhook. */
export interface WebhookRecord extends ListedWebhook {
  object: 'webhook';
  /** `whsec_…`, the newest. */
  signing_secret: string;
}

/** A webhook that was changed. */
export interface ChangedWebhook {
  object: 'webhook';
  id: string;
}

/** A webhook whose secret is told. */
export interface NewWebhook extends ChangedWebhook {
  signing_secret: string;
}

/** A webhook that is to be made. */
export interface WebhookValues {
  /** `https`, up to 2,048 characters, without credentials and fragment. */
  endpoint: string;
  /** One event type or more. */
  events: readonly WebhookEventType[];
  /** Default: `enabled`. */
  status?: WebhookStatus | null | undefined;
}

/** Undefined: as it is. */
export interface WebhookChanges {
  endpoint?: string | null | undefined;
  events?: readonly WebhookEventType[] | null | undefined;
  /** `disabled` drops what waits; `enabled` begins anew. */
  status?: WebhookStatus | null | undefined;
  /** The webhook's own, which some clients repeat. */
  id?: string | null | undefined;
  webhook_id?: string | null | undefined;
}

/**
 * The webhooks of the accounts, by the rules of `/webhooks`. What is undefined here does not exist in the account. A value
 * that breaks a rule is refused with an `ApiError`, an account id that is none with a `TypeError`.
 */
@Injectable()
export class WebhooksService {
  private readonly webhooks: AccountRows<WebhookEntity>;
  private readonly fields: ReturnType<typeof webhookFields>;

  /** @internal Made by `WebhooksModule`. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SealedSecrets,
    policy: Pick<EndpointPolicy, 'admit'>,
  ) {
    this.webhooks = new AccountRows(dataSource, WebhookEntity);
    this.fields = webhookFields(endpointRule(policy));
  }

  /** A new webhook, told of what is recorded from now on. @throws ApiError 422 also for the eleventh of an account */
  async create(accountId: string, values: WebhookValues): Promise<NewWebhook> {
    checkAccountId(accountId);
    const { endpoint, events, status = 'enabled' } = readValues(values, this.fields.create);
    const id = randomUUID();
    const { secret, sealed } = this.secrets.make(id);
    const webhook = { id, accountId, endpoint, events: [...new Set(events)], status, secrets: [sealed] };
    await transactBounded(this.dataSource, async (manager) => {
      await this.refuseTooMany(manager, accountId);
      await this.webhooks.insert(webhook, manager);
      if (status === 'enabled') await subscribe(manager, subscriptionOf(webhook));
    });
    return { object: 'webhook', id, signing_secret: secret };
  }

  /** The account's webhooks, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQuery = {}): Promise<ListEnvelope<ListedWebhook>> {
    checkAccountId(accountId);
    return toEnvelope(await this.webhooks.page(accountId, toPageRequest(query, ALL)), listed);
  }

  /** The webhook with this id. @throws ApiError 500 when its secret cannot be read any more */
  async find(accountId: string, id: string): Promise<WebhookRecord | undefined> {
    checkAccountId(accountId);
    const webhook = await this.webhooks.find(accountId, asId(id));
    if (!webhook) return undefined;
    return { object: 'webhook', ...listed(webhook), signing_secret: this.secretOf(webhook) };
  }

  /** Changes a webhook. */
  async update(accountId: string, id: string, changes: WebhookChanges): Promise<ChangedWebhook | undefined> {
    checkAccountId(accountId);
    const { endpoint, events, status, id: own, webhook_id } = readChanges(changes, this.fields.change);
    checkRepeated({ id: own, webhook_id }, isSameId(id));
    const columns = given({ endpoint: endpoint ?? undefined, events: events ? [...new Set(events)] : undefined });
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
      return { object: 'webhook', id: before.id };
    });
  }

  /** Nothing more is sent to it, and its log goes. @returns the id */
  async remove(accountId: string, id: string): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.locked(accountId, id, async (manager, { id: found }) => {
      await disable(manager, found);
      await manager.query('DELETE FROM nestjs_emails.webhooks WHERE id = $1', [found]);
      return found;
    });
  }

  /** A new signing secret; for a day the old one signs besides. @throws ApiError 422 where there is no key for it */
  async rotate(accountId: string, id: string): Promise<NewWebhook | undefined> {
    checkAccountId(accountId);
    return this.locked(accountId, id, async (manager, { id: found, secrets }) => {
      const { secret, sealed } = this.secrets.make(found);
      // Nobody serves what he cannot sign for; it is left alone for a while.
      const wasLost = secrets.slice(0, 1).some((newest) => !this.secrets.knows(newest));
      const columns = { secrets: this.secrets.rotated(secrets, sealed), ...(wasLost && { leasedUntil: null }) };
      await this.webhooks.change(accountId, { id: found }, columns, manager);
      return { object: 'webhook', id: found, signing_secret: secret };
    });
  }

  /** Until its end nobody else changes the webhook, and no event is put into its log. */
  private async locked<T>(
    accountId: string,
    id: string,
    work: (manager: EntityManager, webhook: WebhookEntity) => Promise<T>,
  ): Promise<T | undefined> {
    const key = asId(id);
    if (!key) return undefined;
    return transactBounded(this.dataSource, async (manager) => {
      const locked = { mode: 'pessimistic_write' } as const;
      const webhook = await manager.findOne(WebhookEntity, { where: { ...key, accountId }, lock: locked });
      return webhook ? work(manager, webhook) : undefined;
    });
  }

  private async refuseTooMany(manager: EntityManager, accountId: string): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ADDING, accountId]);
    if ((await manager.countBy(WebhookEntity, { accountId })) >= MOST)
      throw ApiError.invalid(`An account may have ${MOST} webhooks. Delete one first.`);
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

function listed({ id, createdText, status, endpoint, events }: WebhookEntity): ListedWebhook {
  return { id, created_at: createdText, status, endpoint, events };
}

function subscriptionOf({ id, accountId, events }: Pick<WebhookEntity, 'id' | 'accountId' | 'events'>) {
  return { subscriber: SUBSCRIBER, key: id, accountId, types: events.map(subscribedType) };
}
