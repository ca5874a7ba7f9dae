import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventAnnouncer } from '../observation/event-announcer.js';
import type { Observation } from '../observation/observation.js';
import type { EmailEvent } from '../ports/event-listener.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import { CommitHooks } from '../storage/commit-hooks.js';
import type { Accepted, NewEmail } from '../storage/email.repository.js';

/** What follows when emails are committed: the host is told, and the queue. */
@Injectable()
export class AfterCommit {
  private readonly hooks = new CommitHooks();

  constructor(
    private readonly queue: Pick<DeliveryQueue, 'wake'>,
    private readonly announcer: EventAnnouncer,
    private readonly observation: Observation,
  ) {}

  /**
   * @param accepted what was said of each of the emails, in their order
   * @param started when their request came, by the clock of `performance`
   * @param manager of the transaction that they joined; without one they are committed
   */
  tell(
    emails: readonly Pick<NewEmail, 'id' | 'accountId'>[],
    accepted: readonly Accepted[],
    started: number,
    manager: EntityManager | undefined,
  ): void {
    if (manager?.queryRunner) this.hooks.add(manager.queryRunner, () => this.tellNow(emails, accepted, started));
    else this.tellNow(emails, accepted, started);
  }

  private tellNow(
    emails: readonly Pick<NewEmail, 'id' | 'accountId'>[],
    accepted: readonly Accepted[],
    started: number,
  ): void {
    const duration = performance.now() - started;
    const events: EmailEvent[] = [];
    for (const [at, { delay, firstEvent: type, eventId, eventAt }] of accepted.entries()) {
      const email = emails[at];
      if (!email) continue;
      const { id: emailId, accountId } = email;
      this.observation.accepted({ emailId, duration });
      events.push({ id: eventId, createdAt: new Date(eventAt), accountId, emailId, type });
      this.queue.wake({ emailId, accountId, fence: 0, delay, isFirst: true });
    }
    this.announcer.announce(events);
  }
}
