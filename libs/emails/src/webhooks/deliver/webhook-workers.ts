import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { isNoRowsFault } from '../../shared/errors/database-errors.js';
import { Background } from '../../shared/work/background.js';
import { inTime } from '../../shared/work/in-time.js';
import { LeaseRecorder } from '../../shared/work/lease-recorder.js';
import { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import { RetryPolicy } from '../../shared/work/retry-policy.js';
import { EndpointClient } from '../net/endpoint-client.js';
import { SealedSecrets } from '../secrets/sealed-secrets.js';
import { type AttemptEnd, type LeasedWebhook, WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import { WebhookMessages } from '../storage/webhook-messages.js';
import type { WebhooksObserver, WebhooksOptions } from '../webhooks.options.js';
import { WEBHOOKS_OPTIONS } from '../webhooks.tokens.js';
import { EndpointWindows, type Responsiveness } from './endpoint-window.js';
import { MessageReader } from './message-reader.js';
import { RequestSlots } from './request-slots.js';
import { Turns } from './turns.js';
import { LEASE, WebhookRun, type WebhookRunDependencies } from './webhook-run.js';

/** Delay between polls without a notification of the lookout or of this process. Milliseconds. */
const INTERVAL = 600_000;
/** Webhooks of one poll. */
const FOUND = 1_000;
/** Limit of webhooks of each kind that this process serves at the same time. */
const MAX_WEBHOOKS = 500;
/** Webhooks that give way to others in a poll. */
const YIELDING = 20;
/** Results in one statement, and the delay between two statements. */
const RUNS = { maxSize: 200, pace: 10, mayDivide: (error: unknown) => !isNoRowsFault(error) };
/** Events dropped in one step. */
const DROPPED = 1_000;
/** Timeout of a shutdown's wait for requests. Milliseconds. */
const PATIENCE = 20_000;

/** 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h: eight attempts in 27 hours and a half. */
const SCHEDULE: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1_000);

const JITTER = { min: 0.9, max: 1.1 };

/**
 * Sends the events in the logs of webhooks. One process at a time serves a webhook, under a lease, so that its events
 * start in order and it gets few requests at once. Webhooks do not wait for each other.
 */
@Injectable()
export class WebhookWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookWorkers.name);
  private readonly task: PeriodicTask;
  private endWatch = () => {};
  private readonly runs = new Map<WebhookRun, Promise<void>>();
  private readonly served = new Map<string, WebhookRun>();
  private readonly windows = new EndpointWindows();
  private readonly turns = { responsive: new Turns(), unknown: new Turns(), doubtful: new Turns() };
  private readonly dependencies: WebhookRunDependencies;
  /** Cursor for the next page of webhooks, if there were more. */
  private position: string | undefined;

  constructor(
    private readonly repository: WebhookDeliveryRepository,
    messages: WebhookMessages,
    secrets: SealedSecrets,
    private readonly client: EndpointClient,
    @Inject(WEBHOOKS_OPTIONS) private readonly options: Pick<WebhooksOptions, 'retrySchedule' | 'observer'>,
  ) {
    const recorder = new LeaseRecorder<AttemptEnd, object>(repository, RUNS, 'a request to a webhook');
    this.dependencies = {
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
      attempted: (attempt) => this.notify((observer) => observer.attempted?.(attempt)),
      giveUp: (webhook, reason) => this.giveUp(webhook, reason),
    };
    this.task = new PeriodicTask(
      () => this.look(),
      INTERVAL,
      () => this.logger.warn('Pending webhook events could not be read. It will be tried again.'),
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

  /** Signals pending events. */
  wake(): void {
    this.task.wake();
  }

  /** Resolves with true when there are more webhooks to check. */
  private async look(): Promise<boolean> {
    const found = await this.repository.findWork(FOUND, this.position);
    const replays = await this.repository.findReplays(FOUND);
    this.position = found.length === FOUND ? found.at(-1)?.id : undefined;
    const due = found.filter(({ isDue }) => isDue).map(({ id }) => id);
    const toDo = [...new Set([...due, ...replays])];
    for (const id of toDo) this.served.get(id)?.wake();
    await this.repository.drop(toDo, DROPPED);
    const free = toDo.filter((id) => !this.served.has(id));
    await this.serve('responsive', free);
    await this.serve('unknown', free);
    await this.serve('doubtful', free);
    return this.position !== undefined;
  }

  /** Unresponsive webhooks cannot use up the slots of responsive ones, nor of those that have not answered yet. */
  private async serve(kind: Responsiveness, free: readonly string[]): Promise<void> {
    const isOfKind = (id: string) => this.windows.responsiveness(id) === kind;
    const turns = this.turns[kind];
    const ids = turns.inTurn(free.filter(isOfKind));
    if (ids.length === 0) return;
    const runs = [...this.served].filter(([id]) => isOfKind(id)).map(([, run]) => run);
    const room = MAX_WEBHOOKS - runs.length;
    // The longest-served webhooks finish their requests, and wait for their next turn.
    if (room <= 0) for (const run of runs.slice(0, YIELDING)) run.stop();
    else await this.begin(ids, room, turns);
  }

  private async begin(ids: readonly string[], room: number, turns: Turns): Promise<void> {
    const asked = performance.now();
    for (const webhook of await this.repository.lease(ids, LEASE, room)) {
      turns.began(webhook.id);
      const run = new WebhookRun(webhook, this.dependencies);
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
    const why = reason === 'gone' ? 'it answered 410 (Gone)' : 'it only failed for five days';
    if (!(await this.repository.disable(webhook, why))) return;
    this.logger.warn(`The webhook ${webhook.id} was disabled: ${why}.`);
    this.notify((observer) => observer.disabled?.({ webhookId: webhook.id, reason }));
  }

  private notify(call: (observer: WebhooksObserver) => void): void {
    const { observer } = this.options;
    if (!observer) return;
    try {
      call(observer);
    } catch (error) {
      this.logger.error(`An observer failed: ${error instanceof Error ? error.name : 'unknown error'}`);
    }
  }
}
