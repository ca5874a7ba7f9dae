import { randomBytes } from 'node:crypto';
import { storableText } from '../../shared/text/storable-text.js';
import type { Background } from '../../shared/work/background.js';
import { endLease } from '../../shared/work/end-lease.js';
import type { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import type { RetryPolicy } from '../../shared/work/retry-policy.js';
import { CallError } from '../net/call-error.js';
import { UnknownKeyError } from '../secrets/sealed-secrets.js';
import type {
  AttemptEnd,
  DueEvent,
  DueWork,
  LeasedWebhook,
  WebhookDeliveryRepository,
} from '../storage/delivery.repository.js';
import type { ObservedWebhookAttempt } from '../webhooks.options.js';
import { type EndpointWindow, type EndpointWindows, MAX_CONCURRENT } from './endpoint-window.js';
import { attemptId } from './payload.js';
import type { RequestSlots } from './request-slots.js';
import { takingTurns } from './taking-turns.js';
import { type MadeRequest, type Outcome, type RequestDependencies, WebhookRequest } from './webhook-request.js';

/** Delay that collects freed slots before more events are read. Milliseconds. */
const COLLECTING = 50;
/** Approximate event-loop time of a request. Milliseconds. */
const COST = 0.4;
const GONE = 410;
/** `Retry-After` is respected for these statuses, up to this time. Milliseconds. */
const LATER = [429, 503];
const LONGEST_DELAY = 3_600_000;
const ID_BYTES = 20;
/** Pause of a webhook that cannot be signed for, unless it gets a new secret. Milliseconds. */
const UNSIGNED_PAUSE = 50_000;
/** Characters of an answer that are stored. */
const KEPT = 2_000;
/** Lease after which another process takes over the webhooks of one that died. Milliseconds. */
export const LEASE = 30_000;

/** Dependencies of serving a webhook. */
export interface WebhookRunDependencies extends RequestDependencies {
  repository: Pick<WebhookDeliveryRepository, 'read' | 'release' | 'extend' | 'noteSuccess' | 'noteFailure'>;
  renewal: Pick<LeaseRenewal<LeasedWebhook>, 'hold' | 'holds'>;
  retryPolicy: RetryPolicy;
  /** Request slots of this process. */
  slots: Pick<RequestSlots, 'acquire'>;
  windows: Pick<EndpointWindows, 'of'>;
  background: Pick<Background, 'spend'>;
  /** Resolves when the result is written. */
  record: (end: AttemptEnd) => Promise<unknown>;
  attempted: (attempt: ObservedWebhookAttempt) => void;
  /** Reports that the endpoint has only failed for days, or that it is gone. */
  giveUp: (webhook: LeasedWebhook, reason: 'gone' | 'failing') => Promise<void>;
}

/** Serves one webhook until nothing is due for it. Events start in their order. */
export class WebhookRun {
  /** Requests in progress, by event number. */
  private readonly sending = new Map<string, Promise<void>>();
  private readonly stopped = new AbortController();
  /** Undefined until the endpoint is known. */
  private window: EndpointWindow | undefined;
  private isUnsigned = false;
  /** True if an attempt of this run failed, without a success since. */
  private hasFailed = false;
  /** The next event is a replay, if there is one. */
  private isReplayNext = true;
  /** Signals new events while requests are in progress. */
  private more = Promise.resolve();
  private sayMore = () => {};
  /** Resolves when the last started request has read its content. */
  private lastAsked = Promise.resolve();

  constructor(
    private readonly webhook: LeasedWebhook,
    private readonly dependencies: WebhookRunDependencies,
  ) {}

  /** Starts nothing more. */
  stop(): void {
    this.stopped.abort();
    this.wake();
  }

  /** Signals new events, which need not wait for the requests in progress. */
  wake(): void {
    this.sayMore();
  }

  /** Resolves when all started requests have ended. @param since when the lease was requested */
  async serve(since: number): Promise<void> {
    const { renewal, repository } = this.dependencies;
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
    return !this.stopped.signal.aborted && this.dependencies.renewal.holds(this.webhook);
  }

  /** Number of requests that may start now. Requests whose results are unrecorded count too. */
  private get room(): number {
    return Math.min(this.window?.room ?? MAX_CONCURRENT, MAX_CONCURRENT - this.sending.size);
  }

  /** Without a signing key nothing is sent, and no attempt is used up. @throws every other error */
  private noteUnsigned(error: unknown): void {
    if (!(error instanceof UnknownKeyError)) throw error;
    this.isUnsigned = true;
  }

  /** Resolves with false when no event is left. */
  private async sendNext(): Promise<boolean> {
    this.more = new Promise((resolve) => {
      this.sayMore = resolve;
    });
    if (this.room === 0) {
      await this.someEnd();
      return true;
    }
    const work = await this.dependencies.repository.read(this.webhook, this.room, [...this.sending.keys()]);
    if (!work) return false;
    this.dependencies.secrets.valid(this.webhook.id, work.secrets);
    this.window = this.dependencies.windows.of(this.webhook.id, work.endpoint);
    for (const event of takingTurns(work.events, this.isReplayNext)) {
      if (this.room === 0) break;
      if (!this.sending.has(event.seq) && !(await this.begin(event, work, this.window))) return false;
    }
    if (this.sending.size > 0) await this.someEnd();
    return work.events.length > 0 || this.sending.size > 0;
  }

  private async begin(event: DueEvent, work: DueWork, window: EndpointWindow): Promise<boolean> {
    const { background, slots } = this.dependencies;
    const { signal } = this.stopped;
    await background.spend(COST);
    const leave = await slots.acquire(this.webhook.accountId, window.responsiveness, signal).catch(() => undefined);
    if (!leave || !this.mayGoOn) {
      leave?.();
      return false;
    }
    this.isReplayNext = !event.replay;
    const ended = window.begin();
    const request = new WebhookRequest(this.webhook, event, work.endpoint, this.lastAsked, this.dependencies);
    this.lastAsked = request.hasAsked;
    const sent = request
      .make()
      .finally(leave)
      .then(async (made) => {
        ended(made && { duration: made.duration, succeeded: isSuccess(made.outcome) });
        // The webhook was disabled, deleted or changed: the next worker that serves it reads the current state.
        if (!made) this.stop();
        else await this.close(event, made, work.isFailing);
      })
      // An unrecorded result leads to another attempt, at the latest when another process has the lease.
      .catch((error: unknown) => {
        ended();
        this.isUnsigned ||= error instanceof UnknownKeyError;
        this.stop();
      })
      .finally(() => this.sending.delete(event.seq));
    this.sending.set(event.seq, sent);
    return true;
  }

  /**
   * Waits until a request has ended, and those that end shortly after it; or until there are new events and free slots.
   */
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
    this.dependencies.attempted({
      webhookId,
      outcome: succeeded ? 'success' : 'failure',
      status,
      duration,
      age: Math.max(0, age + duration),
    });
    await this.dependencies.record({ ...end, attemptId: attemptId(randomBytes(ID_BYTES)) });
    await this.judge(status, succeeded, wasFailing);
  }

  private async judge(status: number, succeeded: boolean, wasFailing: boolean): Promise<void> {
    const { repository, giveUp } = this.dependencies;
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

  /** Never earlier than the schedule, and later if the answer asks for it. Null: no further attempt. */
  private waitAfter(attempts: number, outcome: Outcome): number | null {
    const wait = this.dependencies.retryPolicy.waitAfter(attempts);
    if (wait === undefined) return null;
    if (outcome instanceof CallError || !LATER.includes(outcome.status)) return wait;
    return Math.max(wait, Math.min(outcome.retryAfter ?? 0, LONGEST_DELAY));
  }
}

function isSuccess(outcome: Outcome): boolean {
  return !(outcome instanceof CallError) && outcome.status >= 200 && outcome.status < 300;
}
