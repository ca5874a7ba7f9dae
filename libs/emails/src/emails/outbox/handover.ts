import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isDatabaseUnavailable } from '../../shared/errors/database-errors.js';
import type { Background } from '../../shared/work/background.js';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import type { EmailEvent } from '../ports/event-listener.js';
import type { EventSubscription, HandedEvent } from '../ports/event-subscription.js';
import {
  FIRST_PLACE,
  type OutboxRepository,
  type Outlook,
  TooSlowError,
  type WaitingEvent,
} from '../storage/outbox/outbox.repository.js';

/** Time between two steps without a wake-up from the lookout or this process. Milliseconds. */
const INTERVAL = 600_000;
/** Time after which a look begins at the first place again, in case rows appeared unexpectedly. Milliseconds. */
const ROUND = 300_000;
/** Limit of events per call. */
const BATCH = 500;
/** Limit of undecided events per account that are decided at once. */
const DECIDED = 1_000;
/** Time limit of one call of a subscriber. Milliseconds. */
const PATIENCE = 60_000;
/** Longest delay of a failing event. Milliseconds. */
const LONGEST_WAIT = 3_600_000;
/** Consecutive failures after which the subscriber counts as away, rather than the events as the cause. */
const FAILURES = 3;
/** Pause between calls while the subscriber is away, and the longest delay of its events then. Milliseconds. */
const PAUSE = 2_000;
const LONGEST_WAIT_WHILE_AWAY = 60_000;

/** Approximate time of the event loop and of PostgreSQL for a step, and for each event in addition. Milliseconds. */
const STEP_COST = 5;
const EVENT_COST = 0.1;

/** The methods of the outbox that a hand-over needs. */
export type HandoverStore = Pick<
  OutboxRepository,
  'inTurn' | 'next' | 'done' | 'putBehind' | 'putOff' | 'distribute' | 'look' | 'question' | 'lookout'
>;

/**
 * Hands events to one subscriber. A failing group is divided until one event is left, which is put off. Later events of
 * the same email wait for it; all others continue.
 */
export class Handover {
  private readonly logger = new Logger('OutboxWorker');
  private readonly task: PeriodicTask;
  /** Limit of events per call: smaller after a failure, doubled after each success. */
  private limit = BATCH;
  private failures = 0;
  /** Events acquired since the last rest. */
  private acquired = 0;
  private pausedUntil = 0;
  /** True if there is a subscription, at the last look. Without one, a look costs one question a second. */
  private isUsed = true;
  /** Where the next look begins. */
  private place = FIRST_PLACE;
  /**
   * The account that had the last turn. It changes on success only, so that a failing group stays in front while it is
   * divided.
   */
  private lastAccount = '';
  private beganAt = performance.now();
  private endWatch = () => {};

  constructor(
    private readonly outbox: HandoverStore,
    private readonly subscription: EventSubscription,
    private readonly background: Pick<Background, 'spend'>,
  ) {
    this.task = new PeriodicTask(
      () => this.step(),
      INTERVAL,
      () => this.logger.warn(`Events could not be handed over to \`${subscription.name}\`. It will be tried again.`),
    );
  }

  start(): void {
    this.task.start();
    this.endWatch = this.outbox.lookout.watch({
      question: () => this.outbox.question(this.subscription.name, this.currentPlace),
      answered: ([outlook]) => {
        if (this.note(outlook as Outlook)) this.task.wake();
      },
      failed: () => {
        this.place = FIRST_PLACE;
        this.task.wake();
      },
    });
  }

  stop(): Promise<void> {
    this.endWatch();
    return this.task.stop();
  }

  /** Events were recorded: a look, unless none of them has a type of the subscription. */
  wake(events: readonly Pick<EmailEvent, 'type'>[]): void {
    const { types } = this.subscription;
    if (this.isUsed && (!types || events.some(({ type }) => types.includes(type)))) this.task.wake();
  }

  /** Resolves with true when there is more to do. */
  async step(): Promise<boolean> {
    if (performance.now() < this.pausedUntil) return false;
    try {
      const outlook = await this.outbox.look(this.subscription.name, this.currentPlace);
      return this.note(outlook) && (await this.work(outlook));
    } catch (error) {
      this.place = FIRST_PLACE;
      throw error;
    }
  }

  private async work({ undecided, ready, due }: Outlook): Promise<boolean> {
    const decided = undecided ? await this.outbox.distribute(DECIDED, this.place) : 0;
    const more = [
      decided > 0,
      due && (await this.handOverNext('due', 1)),
      ready && (await this.handOverNext('ready', this.limit)),
    ];
    await this.background.spend(STEP_COST + this.acquired * EVENT_COST);
    this.acquired = 0;
    return more.includes(true);
  }

  private get currentPlace() {
    if (performance.now() - this.beganAt >= ROUND) {
      this.beganAt = performance.now();
      this.place = FIRST_PLACE;
    }
    return this.place;
  }

  /** Stores the result of a look. Returns whether there is something to do. */
  private note(outlook: Outlook): boolean {
    const { subscribed, undecided, ready, due, isOfAnother, ...place } = outlook;
    this.place = isOfAnother ? FIRST_PLACE : place;
    this.isUsed = subscribed || undecided || ready || due;
    return undecided || ready || due;
  }

  /** Resolves with true when there may be more. */
  private async handOverNext(of: 'ready' | 'due', limit: number): Promise<boolean> {
    let waiting: readonly WaitingEvent[] = [];
    let more = false;
    let handedOver = 0;
    let lastAccount: string | undefined;
    try {
      await this.outbox.inTurn(this.subscription.name, PATIENCE, async (manager) => {
        const place = { ...this.place, lastAccount: this.lastAccount };
        const next = await this.outbox.next(manager, this.subscription.name, of, limit, place);
        ({ events: waiting, more, lastAccount } = next);
        handedOver = await this.handOver(manager, waiting);
      });
    } catch (error) {
      if (waiting.length === 0) throw error;
      return this.failed(waiting, error);
    }
    if (of === 'ready') this.lastAccount = lastAccount ?? this.lastAccount;
    if (handedOver > 0) {
      this.failures = 0;
      if (of === 'ready') this.limit = Math.min(this.limit * 2, BATCH);
      this.subscription.committed?.();
    }
    return more;
  }

  /** Resolves with the number of events handed over. */
  private async handOver(manager: EntityManager, waiting: readonly WaitingEvent[]): Promise<number> {
    this.acquired += waiting.length;
    const behind = waiting.filter((event) => event.behind);
    const next = waiting.filter((event) => !event.behind);
    if (behind.length > 0) await this.outbox.putBehind(manager, behind);
    if (next.length === 0) return 0;
    const events = next.flatMap(({ handed }): HandedEvent[] => (handed ? [handed] : []));
    if (events.length > 0) await this.subscription.handle(events, manager);
    await this.outbox.done(manager, next);
    return events.length;
  }

  private async failed(waiting: readonly WaitingEvent[], error: unknown): Promise<boolean> {
    // The next database may be another one.
    if (isDatabaseUnavailable(error)) this.place = FIRST_PLACE;
    const [first] = waiting;
    if (first && waiting.length === 1) {
      this.failures++;
      const isAway = this.failures >= FAILURES;
      await this.outbox.putOff(first, isAway ? LONGEST_WAIT_WHILE_AWAY : LONGEST_WAIT);
      if (isAway) this.pausedUntil = performance.now() + PAUSE;
      this.logger.warn(
        `The event subscription \`${this.subscription.name}\` failed: ${error instanceof Error ? error.name : 'unknown error'}. ` +
          'It will be tried again.',
      );
    } else this.limit = error instanceof TooSlowError ? 1 : Math.ceil(waiting.length / 2);
    return true;
  }
}
