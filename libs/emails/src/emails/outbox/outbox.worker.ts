import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Background } from '../../shared/work/background.js';
import { inTime } from '../../shared/work/in-time.js';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import type { EventSubscription, HandedEvent } from '../ports/event-subscription.js';
import type { OutboxRepository, WaitingEvent } from '../storage/outbox.repository.js';

/** Between two looks for what other processes have recorded. Milliseconds. */
const INTERVAL = 1_000;
/** Events handed over at once. */
const BATCH = 500;
/** For one call of a subscriber. Milliseconds. */
const PATIENCE = 60_000;
/** After a call that failed whatever was in it, until the next, at first and at most. Milliseconds. */
const PAUSES = [1_000, 60_000] as const;
/** Emails that fail one after the other, and none between them that does not: then it is not them. */
const FAILURES = 3;

type Outbox = Pick<
  OutboxRepository,
  'inTurn' | 'next' | 'done' | 'putOff' | 'distribute' | 'subscribeAll' | 'subscribers' | 'isUsed'
>;

/**
 * Hands events over to whoever subscribes. Each subscriber is told by one process at a time, and those of one process do not
 * wait for each other.
 */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxWorker.name);
  private readonly handovers: readonly Handover[];

  constructor(
    private readonly outbox: Outbox,
    private readonly subscriptions: readonly EventSubscription[],
  ) {
    const background = new Background();
    this.handovers = subscriptions.map((subscription) => new Handover(outbox, subscription, background));
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.subscriptions.length === 0) return;
    for (const { name, types, accounts } of this.subscriptions) {
      if (accounts !== 'chosen') await this.outbox.subscribeAll(name, types);
    }
    const names = this.subscriptions.map(({ name }) => name);
    for (const name of (await this.outbox.subscribers()).filter((known) => !names.includes(known))) {
      this.logger.warn(
        `Nobody here handles the events that wait for \`${name}\`. EventSubscriptions.remove ends that.`,
      );
    }
    for (const handover of this.handovers) handover.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.handovers.map(({ task }) => task.stop()));
  }

  /** Events were recorded. */
  wake(): void {
    for (const handover of this.handovers) handover.wake();
  }
}

/** What one subscriber is told. */
class Handover {
  readonly task: PeriodicTask;
  private readonly logger = new Logger(OutboxWorker.name);
  private pause = 0;
  private pausedUntil = 0;
  /** Whether the last look found that anybody subscribes: where nobody does, it costs a question a second. */
  private isUsed = true;

  constructor(
    private readonly outbox: Outbox,
    private readonly subscription: EventSubscription,
    private readonly background: Background,
  ) {
    this.task = new PeriodicTask(
      () => this.step(),
      INTERVAL,
      () => this.logger.warn(`Events could not be handed over to \`${subscription.name}\`. It will be tried again.`),
    );
  }

  wake(): void {
    if (this.isUsed) this.task.wake();
  }

  /** Resolves with true when there is more. */
  private async step(): Promise<boolean> {
    if (performance.now() < this.pausedUntil) return false;
    this.isUsed = await this.outbox.isUsed(this.subscription.name);
    if (!this.isUsed) return false;
    await this.outbox.distribute(BATCH);
    const began = performance.eventLoopUtilization();
    const told = await this.tell(BATCH);
    await this.background.spend(performance.eventLoopUtilization(began).active);
    if (told === 'failed') await this.tellApart();
    return told === BATCH;
  }

  /** Resolves with how many events there were. */
  private async tell(limit: number): Promise<number | 'failed'> {
    let count = 0;
    try {
      await this.outbox.inTurn(this.subscription.name, PATIENCE, async (manager) => {
        const waiting = await this.outbox.next(manager, this.subscription.name, limit);
        count = waiting.length;
        await this.handOver(manager, waiting);
      });
      if (count > 0) this.subscription.committed?.();
      return count;
    } catch (error) {
      if (count === 0) throw error;
      return 'failed';
    }
  }

  /** Finds out which emails cannot be told, unless none can. */
  private async tellApart(): Promise<void> {
    const { name } = this.subscription;
    const failed: WaitingEvent[][] = [];
    let told = 0;
    const waiting = await this.outbox.inTurn(name, PATIENCE, (manager) => this.outbox.next(manager, name, BATCH));
    for (const group of groupsOf(waiting ?? [])) {
      if (await this.tellGroup(group)) told++;
      else failed.push(group);
      if (told === 0 && failed.length === FAILURES) break;
    }
    if (failed.length === 0) return;
    this.logger.warn(
      `The event subscription \`${name}\` failed for ${told === 0 ? 'all it was given' : `${failed.length} emails`}. ` +
        'It will be tried again.',
    );
    if (told === 0) {
      this.pause = Math.min(Math.max(this.pause * 2, PAUSES[0]), PAUSES[1]);
      this.pausedUntil = performance.now() + this.pause;
      return;
    }
    await this.outbox.inTurn(name, PATIENCE, (manager) =>
      this.outbox.putOff(
        manager,
        failed.flat().map(({ id }) => id),
      ),
    );
  }

  private async tellGroup(group: readonly WaitingEvent[]): Promise<boolean> {
    try {
      const { name } = this.subscription;
      await this.outbox.inTurn(name, PATIENCE, (manager) => this.handOver(manager, group));
      this.subscription.committed?.();
      return true;
    } catch {
      return false;
    }
  }

  private async handOver(manager: EntityManager, waiting: readonly WaitingEvent[]): Promise<void> {
    if (waiting.length === 0) return;
    const events = waiting.flatMap(({ handed }): HandedEvent[] => (handed ? [handed] : []));
    if (events.length > 0) await inTime(this.subscription.handle(events, manager), PATIENCE, tooSlow);
    if (!manager.queryRunner?.isTransactionActive)
      throw new Error('A subscriber ended the transaction that it was given.');
    await this.outbox.done(
      manager,
      waiting.map(({ id }) => id),
    );
    this.pause = 0;
  }
}

/** Of one email each, in their order. */
function groupsOf(waiting: readonly WaitingEvent[]): WaitingEvent[][] {
  const groups = new Map<string, WaitingEvent[]>();
  for (const one of waiting) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return [...groups.values()];
}

function tooSlow(): never {
  throw new Error('An event subscription takes too long.');
}
