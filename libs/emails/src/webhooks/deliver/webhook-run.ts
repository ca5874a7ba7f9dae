import { randomBytes } from 'node:crypto';
import { CallError } from '../../shared/net/call-error.js';
import { storableText } from '../../shared/text/storable-text.js';
import type { Background } from '../../shared/work/background.js';
import { endLease } from '../../shared/work/end-lease.js';
import type { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import type { RetryPolicy } from '../../shared/work/retry-policy.js';
import { UnknownKeyError } from '../secrets/sealed-secrets.js';
import type {
  AttemptEnd,
  DueEvent,
  DueWork,
  LeasedWebhook,
  WebhookDeliveryRepository,
} from '../storage/delivery.repository.js';
import type { ObservedWebhookAttempt } from '../webhooks.options.js';
import { type EndpointWindow, type EndpointWindows, MOST_AT_ONCE } from './endpoint-window.js';
import { attemptId } from './payload.js';
import type { RequestSlots } from './request-slots.js';
import { type MadeRequest, type Outcome, type RequestDependencies, WebhookRequest } from './webhook-request.js';

/** For how long what has become free is collected before more is read. Milliseconds. */
const COLLECTING = 50;
/** What a request takes of the event loop, about. Milliseconds. */
const COST = 0.4;
const GONE = 410;
/** `Retry-After` counts for these, and for so long at most. Milliseconds. */
const LATER = [429, 503];
const LONGEST_DELAY = 3_600_000;
const ID_BYTES = 20;
/** For how long a webhook is kept from being looked at for which nothing can be signed, unless it gets a new secret. Milliseconds. */
const UNSIGNED_PAUSE = 50_000;
/** Characters of an answer that are kept. */
const KEPT = 2_000;
/** After which another process goes on with the webhooks of one that died. Milliseconds. */
export const LEASE = 30_000;

/** What it takes to serve a webhook. */
export interface WebhookMeans extends RequestDependencies {
  repository: Pick<WebhookDeliveryRepository, 'read' | 'release' | 'extend' | 'noteSuccess' | 'noteFailure'>;
  renewal: Pick<LeaseRenewal<LeasedWebhook>, 'hold' | 'holds'>;
  retryPolicy: RetryPolicy;
  /** Requests of this process. */
  slots: Pick<RequestSlots, 'take'>;
  windows: Pick<EndpointWindows, 'of'>;
  background: Pick<Background, 'spend'>;
  /** Resolves when it is written. */
  record: (end: AttemptEnd) => Promise<unknown>;
  attempted: (attempt: ObservedWebhookAttempt) => void;
  /** That nothing but failures came for days, or that it is gone. */
  giveUp: (webhook: LeasedWebhook, reason: 'gone' | 'failing') => Promise<void>;
}

/** One webhook that this process serves, until nothing is to be sent to it now. Events begin in their order. */
export class WebhookRun {
  /** By their numbers, what is being sent. */
  private readonly sending = new Map<string, Promise<void>>();
  private readonly stopped = new AbortController();
  /** Undefined until it is known where it leads. */
  private window: EndpointWindow | undefined;
  private isUnsigned = false;
  /** Whether an attempt of this run failed, with no success since. */
  private hasFailed = false;
  /** That there may be more to be sent, while what is being sent takes its time. */
  private more = Promise.resolve();
  private sayMore = () => {};
  /** When the request that was begun last has asked for what it carries. */
  private lastAsked = Promise.resolve();

  constructor(
    private readonly webhook: LeasedWebhook,
    private readonly means: WebhookMeans,
  ) {}

  /** Nothing more is begun. */
  stop(): void {
    this.stopped.abort();
    this.wake();
  }

  /** There may be more to be sent: it need not wait until what is being sent has ended. */
  wake(): void {
    this.sayMore();
  }

  /** Resolves when all that was begun has ended. @param since when the lease was asked for */
  async serve(since: number): Promise<void> {
    const { renewal, repository } = this.means;
    const letGo = renewal.hold(this.webhook, since);
    try {
      while (this.mayGoOn && (await this.sendNext()));
    } catch (error) {
      this.noteUnsigned(error);
    } finally {
      await Promise.allSettled(this.sending.values());
      letGo();
      if (this.isUnsigned) await repository.extend([this.webhook], UNSIGNED_PAUSE);
      else await endLease(() => repository.release(this.webhook), LEASE);
    }
  }

  private get mayGoOn(): boolean {
    return !this.stopped.signal.aborted && this.means.renewal.holds(this.webhook);
  }

  /** Requests that may begin now. What is still to be recorded counts too. */
  private get room(): number {
    return Math.min(this.window?.room ?? MOST_AT_ONCE, MOST_AT_ONCE - this.sending.size);
  }

  /** Whoever cannot sign sends nothing, and uses up no attempt. @throws what else it is */
  private noteUnsigned(error: unknown): void {
    if (!(error instanceof UnknownKeyError)) throw error;
    this.isUnsigned = true;
  }

  /** Resolves with false when there is nothing more. */
  private async sendNext(): Promise<boolean> {
    this.more = new Promise((resolve) => {
      this.sayMore = resolve;
    });
    if (this.room === 0) {
      await this.someEnd();
      return true;
    }
    const work = await this.means.repository.read(this.webhook, this.room, [...this.sending.keys()]);
    if (!work) return false;
    this.means.secrets.valid(this.webhook.id, work.secrets);
    this.window = this.means.windows.of(this.webhook.id, work.endpoint);
    for (const event of work.events) {
      if (this.room === 0) break;
      if (!this.sending.has(event.seq) && !(await this.begin(event, work, this.window))) return false;
    }
    if (this.sending.size > 0) await this.someEnd();
    return work.events.length > 0 || this.sending.size > 0;
  }

  private async begin(event: DueEvent, work: DueWork, window: EndpointWindow): Promise<boolean> {
    const { background, slots } = this.means;
    const { signal } = this.stopped;
    await background.spend(COST);
    const leave = await slots.take(this.webhook.accountId, window.answers, signal).catch(() => undefined);
    if (!leave || !this.mayGoOn) {
      leave?.();
      return false;
    }
    const ended = window.begin();
    const request = new WebhookRequest(this.webhook, event, work.endpoint, this.lastAsked, this.means);
    this.lastAsked = request.hasAsked;
    const sent = request
      .make()
      .finally(leave)
      .then(async (made) => {
        ended(made && { duration: made.duration, succeeded: isSuccess(made.outcome) });
        // Disabled, deleted or changed: whoever serves it next finds out what is to be sent, and where.
        if (!made) this.stop();
        else await this.close(event, made, work.isFailing);
      })
      // Not recorded, it is sent again: at the latest when the lease is another one's.
      .catch((error: unknown) => {
        ended();
        this.isUnsigned ||= error instanceof UnknownKeyError;
        this.stop();
      })
      .finally(() => this.sending.delete(event.seq));
    this.sending.set(event.seq, sent);
    return true;
  }

  /** As soon as one has ended, and those that end just after it; or there is more, and room for it. */
  private async someEnd(): Promise<void> {
    const before = this.sending.size;
    const more = this.room === 0 ? [] : [this.more];
    await Promise.race([...this.sending.values(), ...more]);
    if (this.sending.size === before || this.sending.size === 0) return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, COLLECTING);
      void Promise.all(this.sending.values()).then(() => {
        clearTimeout(timer);
        resolve(undefined);
      });
    });
  }

  /** Records how a request ended. */
  private async close(event: DueEvent, { outcome, sentAt, duration }: MadeRequest, wasFailing: boolean): Promise<void> {
    const { id: webhookId, fence } = this.webhook;
    const { seq, attempts, replays, replay, age } = event;
    const status = outcome instanceof CallError ? 0 : outcome.status;
    const succeeded = isSuccess(outcome);
    const response = outcome instanceof CallError ? outcome.reason : storableText(outcome.body, KEPT);
    const retryIn = succeeded ? null : this.waitAfter(attempts + 1, outcome);
    const end = { webhookId, fence, seq, attempts, replays, replay, status, response, sentAt, succeeded, retryIn };
    this.means.attempted({
      webhookId,
      outcome: succeeded ? 'success' : 'failure',
      status,
      duration,
      age: Math.max(0, age + duration),
    });
    await this.means.record({ ...end, attemptId: attemptId(randomBytes(ID_BYTES)) });
    await this.judge(status, succeeded, wasFailing);
  }

  private async judge(status: number, succeeded: boolean, wasFailing: boolean): Promise<void> {
    const { repository, giveUp } = this.means;
    if (succeeded) {
      if (wasFailing || this.hasFailed) await repository.noteSuccess(this.webhook);
      this.hasFailed = false;
      return;
    }
    this.hasFailed = true;
    const reason = status === GONE ? 'gone' : (await repository.noteFailure(this.webhook)) ? 'failing' : undefined;
    if (!reason) return;
    this.stop();
    await giveUp(this.webhook, reason);
  }

  /** Never earlier than the schedule says, and later where the answer asks for it. Null: it is given up. */
  private waitAfter(attempts: number, outcome: Outcome): number | null {
    const wait = this.means.retryPolicy.waitAfter(attempts);
    if (wait === undefined) return null;
    if (outcome instanceof CallError || !LATER.includes(outcome.status)) return wait;
    return Math.max(wait, Math.min(outcome.retryAfter ?? 0, LONGEST_DELAY));
  }
}

function isSuccess(outcome: Outcome): boolean {
  return !(outcome instanceof CallError) && outcome.status >= 200 && outcome.status < 300;
}
