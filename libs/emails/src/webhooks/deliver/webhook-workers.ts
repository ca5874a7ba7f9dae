import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { isNoRowsFault } from '../../shared/errors/database-errors.js';
import type { EndpointClient } from '../../shared/net/endpoint-client.js';
import { Background } from '../../shared/work/background.js';
import { inTime } from '../../shared/work/in-time.js';
import { LeaseRecorder } from '../../shared/work/lease-recorder.js';
import { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import { RetryPolicy } from '../../shared/work/retry-policy.js';
import type { SealedSecrets } from '../secrets/sealed-secrets.js';
import type { AttemptEnd, LeasedWebhook, WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import type { WebhookMessages } from '../storage/webhook-messages.js';
import type { WebhooksObserver } from '../webhooks.options.js';
import { EndpointWindows } from './endpoint-window.js';
import { MessageReader } from './message-reader.js';
import { RequestSlots } from './request-slots.js';
import { Turns } from './turns.js';
import { LEASE, type WebhookMeans, WebhookRun } from './webhook-run.js';

/** Between two looks for which neither the lookout nor this process sees a reason. Milliseconds. */
const INTERVAL = 600_000;
/** Webhooks of one look. */
const FOUND = 1_000;
/** Webhooks that this process serves at the same time: of those that are known to answer, and of all others. */
const MOST_WEBHOOKS = 500;
/** Webhooks that make room for others in a look. */
const GIVING_WAY = 20;
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
  private readonly windows = new EndpointWindows();
  /** Of webhooks that are known to answer, and of all others. */
  private readonly turns = [new Turns(), new Turns()] as const;
  private readonly means: WebhookMeans;
  /** Behind which webhook to look on, when there were more. */
  private place: string | undefined;

  constructor(
    private readonly repository: WebhookDeliveryRepository,
    messages: WebhookMessages,
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
      messages: new MessageReader(messages),
      slots: new RequestSlots(),
      windows: this.windows,
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
    const free = toDo.filter((id) => !this.served.has(id));
    await this.serve(true, free);
    await this.serve(false, free);
    return this.place !== undefined;
  }

  /** However many do not answer, there is room for those that do. */
  private async serve(answers: boolean, free: readonly string[]): Promise<void> {
    const isOfKind = (id: string) => this.windows.answers(id) === answers;
    const turns = this.turns[answers ? 0 : 1];
    const ids = turns.inTurn(free.filter(isOfKind));
    if (ids.length === 0) return;
    const runs = [...this.served].filter(([id]) => isOfKind(id)).map(([, run]) => run);
    const room = MOST_WEBHOOKS - runs.length;
    // Those that have been served longest end what they have begun, and wait until it is their turn again.
    if (room <= 0) for (const run of runs.slice(0, GIVING_WAY)) run.stop();
    else await this.begin(ids, room, turns);
  }

  private async begin(ids: readonly string[], room: number, turns: Turns): Promise<void> {
    const asked = performance.now();
    for (const webhook of await this.repository.lease(ids, LEASE, room)) {
      turns.began(webhook.id);
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
