import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isDatabaseUnavailable } from '../../shared/errors/database-errors.js';
import type { Background } from '../../shared/work/background.js';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import type { EventSubscription, HandedEvent } from '../ports/event-subscription.js';
import {
  FIRST_PLACE,
  type OutboxRepository,
  type Outlook,
  TooSlowError,
  type WaitingEvent,
} from '../storage/outbox.repository.js';

/** Between two steps for which neither the lookout nor this process sees a reason. Milliseconds. */
const INTERVAL = 600_000;
/** After which a look begins at the first place again, in case rows came in a way that places do not foresee. Milliseconds. */
const ROUND = 300_000;
/** Events handed over at once. */
const BATCH = 500;
/** Undecided events of an account that are decided about at once. */
const DECIDED = 1_000;
/** For one call of a subscriber. Milliseconds. */
const PATIENCE = 60_000;
/** For how long an event that fails is put off at most. Milliseconds. */
const LONGEST_WAIT = 3_600_000;
/** Events that fail one after the other, and none between them that does not: then it may not be them. */
const FAILURES = 3;
/** While that is so: from one call to the next, and for how long what fails is put off at most. Milliseconds. */
const PAUSE = 2_000;
const LONGEST_WAIT_WHILE_AWAY = 60_000;

/** What a step takes of the event loop and of PostgreSQL, and each event besides, about. Milliseconds. */
const STEP_COST = 5;
const EVENT_COST = 0.1;

/** What of the outbox it takes to hand over. */
export type HandoverStore = Pick<
  OutboxRepository,
  'inTurn' | 'next' | 'done' | 'putBehind' | 'putOff' | 'distribute' | 'look' | 'question' | 'lookout'
>;

/**
 * What one subscriber is told. What it fails for is divided until one event is left, and that one put off; those behind it
 * in the same email wait for it, all others go on.
 */
export class Handover {
  private readonly logger = new Logger('OutboxWorker');
  private readonly task: PeriodicTask;
  /** How many it is given at once: fewer after a failure, and twice as many after each success. */
  private limit = BATCH;
  private failures = 0;
  /** Events that were taken since the last rest. */
  private taken = 0;
  private pausedUntil = 0;
  /** Whether anybody subscribes, when last looked: where nobody does, it costs a question a second. */
  private isUsed = true;
  /** Where looks go on. */
  private place = FIRST_PLACE;
  /** The account that had the last turn. It moves with success only, so that what fails stays in front while it is divided. */
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

  /** Events were recorded. */
  wake(): void {
    if (this.isUsed) this.task.wake();
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
    const more = [decided > 0, due && (await this.tell('due', 1)), ready && (await this.tell('ready', this.limit))];
    await this.background.spend(STEP_COST + this.taken * EVENT_COST);
    this.taken = 0;
    return more.includes(true);
  }

  private get currentPlace() {
    if (performance.now() - this.beganAt >= ROUND) {
      this.beganAt = performance.now();
      this.place = FIRST_PLACE;
    }
    return this.place;
  }

  /** Keeps what a look found out. Returns whether there is something to do. */
  private note(outlook: Outlook): boolean {
    const { subscribed, undecided, ready, due, isOfAnother, ...place } = outlook;
    this.place = isOfAnother ? FIRST_PLACE : place;
    this.isUsed = subscribed || undecided || ready || due;
    return undecided || ready || due;
  }

  /** Resolves with true when there may be more. */
  private async tell(of: 'ready' | 'due', limit: number): Promise<boolean> {
    let waiting: readonly WaitingEvent[] = [];
    let more = false;
    let told = 0;
    let lastAccount: string | undefined;
    try {
      await this.outbox.inTurn(this.subscription.name, PATIENCE, async (manager) => {
        const place = { ...this.place, lastAccount: this.lastAccount };
        const next = await this.outbox.next(manager, this.subscription.name, of, limit, place);
        ({ events: waiting, more, lastAccount } = next);
        told = await this.handOver(manager, waiting);
      });
    } catch (error) {
      if (waiting.length === 0) throw error;
      return this.failed(waiting, error);
    }
    if (of === 'ready') this.lastAccount = lastAccount ?? this.lastAccount;
    if (told > 0) {
      this.failures = 0;
      if (of === 'ready') this.limit = Math.min(this.limit * 2, BATCH);
      this.subscription.committed?.();
    }
    return more;
  }

  /** Resolves with how many were told. */
  private async handOver(manager: EntityManager, waiting: readonly WaitingEvent[]): Promise<number> {
    this.taken += waiting.length;
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
    // The database may be another one from now on.
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
