import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { isNoRowsFault } from '../../shared/errors/database-errors.js';
import type { EndpointClient } from '../../shared/net/endpoint-client.js';
import { Background } from '../../shared/work/background.js';
import { FairSemaphore } from '../../shared/work/fair-semaphore.js';
import { inTime } from '../../shared/work/in-time.js';
import { LeaseRecorder } from '../../shared/work/lease-recorder.js';
import { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import { RetryPolicy } from '../../shared/work/retry-policy.js';
import type { SealedSecrets } from '../secrets/sealed-secrets.js';
import type { AttemptEnd, LeasedWebhook, WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import type { WebhooksObserver } from '../webhooks.options.js';
import { type WebhookMeans, WebhookRun } from './webhook-run.js';

/** Between two looks for which neither the lookout nor this process sees a reason. Milliseconds. */
const INTERVAL = 600_000;
/** Webhooks of one look. */
const FOUND = 1_000;
/** Webhooks that this process serves at the same time, and requests. */
const MOST_WEBHOOKS = 200;
const MOST_REQUESTS = 500;
/** Webhooks that make room for others in a look. */
const GIVING_WAY = 20;
/** After which another process goes on with the webhooks of one that died. Milliseconds. */
const LEASE = 30_000;
/** Ends of one statement, and between two of them. */
const RUNS = { maxSize: 200, pace: 10, mayDivide: (error: unknown) => !isNoRowsFault(error) };
/** Events that are dropped in a step. */
const DROPPED = 1_000;
/** How long a shutdown waits for requests. Milliseconds. */
const PATIENCE = 20_000;

/** 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h: eight attempts in 27 hours and a half. */
const SCHEDULE: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1_000);

const JITTER = { least: 0.9, most: 1.1 };

/** What may be set. */
export interface WorkerOptions {
  retrySchedule?: readonly number[] | undefined;
  observer?: WebhooksObserver | undefined;
}

/**
 * Sends what is in the logs of webhooks. A webhook is served by one process at a time, under a lease, so that its events
 * begin in their order and it gets few requests at once; none waits for another.
 */
@Injectable()
export class WebhookWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookWorkers.name);
  private readonly task: PeriodicTask;
  private endWatch = () => {};
  private readonly runs = new Map<WebhookRun, Promise<void>>();
  private readonly served = new Map<string, WebhookRun>();
  /** The webhook that was begun last: the next in turn is behind it. */
  private last = '';
  private readonly means: WebhookMeans;
  /** Behind which webhook to look on, when there were more. */
  private place: string | undefined;

  constructor(
    private readonly repository: WebhookDeliveryRepository,
    secrets: SealedSecrets,
    private readonly client: EndpointClient,
    private readonly options: WorkerOptions,
  ) {
    const recorder = new LeaseRecorder<AttemptEnd, object>(repository, RUNS, 'a request to a webhook');
    this.means = {
      repository,
      client,
      secrets,
      renewal: new LeaseRenewal(repository, LEASE, 'webhooks'),
      retryPolicy: new RetryPolicy(options.retrySchedule ?? SCHEDULE, Math.random, JITTER),
      places: new FairSemaphore(MOST_REQUESTS),
      background: new Background(),
      record: (end) => recorder.record(end),
      attempted: (attempt) => this.tell((observer) => observer.attempted?.(attempt)),
      giveUp: (webhook, reason) => this.giveUp(webhook, reason),
    };
    this.task = new PeriodicTask(
      () => this.look(),
      INTERVAL,
      () => this.logger.warn('Looking for events that are to be sent failed. It will be tried again.'),
    );
  }

  onApplicationBootstrap(): void {
    this.task.start();
    this.endWatch = this.repository.watch(() => this.wake());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endWatch();
    await this.task.stop();
    for (const run of this.runs.keys()) run.stop();
    await inTime(Promise.all(this.runs.values()), PATIENCE, () => {});
    this.client.close();
  }

  /** There is something to be sent. */
  wake(): void {
    this.task.wake();
  }

  /** Resolves with true when there are more webhooks to look at. */
  private async look(): Promise<boolean> {
    const found = await this.repository.findWork(FOUND, this.place);
    const replays = await this.repository.findReplays(FOUND);
    this.place = found.length === FOUND ? found.at(-1)?.id : undefined;
    const due = found.filter(({ isDue }) => isDue).map(({ id }) => id);
    const toDo = [...new Set([...due, ...replays])];
    for (const id of toDo) this.served.get(id)?.wake();
    await this.repository.drop(toDo, DROPPED);
    const free = this.inTurn(toDo.filter((id) => !this.served.has(id)));
    if (free.length > 0) await this.serve(free);
    return this.place !== undefined;
  }

  private async serve(ids: readonly string[]): Promise<void> {
    const room = MOST_WEBHOOKS - this.runs.size;
    if (room <= 0) return this.makeRoom();
    const asked = performance.now();
    for (const webhook of await this.repository.lease(ids, LEASE, room)) {
      this.last = webhook.id;
      const run = new WebhookRun(webhook, this.means);
      this.served.set(webhook.id, run);
      const served = run
        .serve(asked)
        .catch(() => this.logger.warn('Events could not be sent to a webhook. It will be tried again.'))
        .finally(() => {
          this.runs.delete(run);
          this.served.delete(webhook.id);
        });
      this.runs.set(run, served);
    }
  }

  /** Those behind the one that was begun last come first, so that each has its turn. */
  private inTurn(ids: readonly string[]): string[] {
    const sorted = ids.toSorted();
    const next = sorted.findIndex((id) => id > this.last);
    return next > 0 ? [...sorted.slice(next), ...sorted.slice(0, next)] : sorted;
  }

  /** Those that have been served longest end what they have begun, and wait until it is their turn again. */
  private makeRoom(): void {
    for (const run of [...this.runs.keys()].slice(0, GIVING_WAY)) run.stop();
  }

  private async giveUp(webhook: LeasedWebhook, reason: 'gone' | 'failing'): Promise<void> {
    if (!(await this.repository.disable(webhook))) return;
    const why = reason === 'gone' ? 'it answered 410 (Gone)' : 'it did nothing but fail for five days';
    this.logger.warn(`The webhook ${webhook.id} was disabled: ${why}.`);
    this.tell((observer) => observer.disabled?.({ webhookId: webhook.id, reason }));
  }

  private tell(call: (observer: WebhooksObserver) => void): void {
    const { observer } = this.options;
    if (!observer) return;
    try {
      call(observer);
    } catch (error) {
      this.logger.error(`An observer failed: ${error instanceof Error ? error.name : 'unknown error'}`);
    }
  }
}
