import { Inject, Injectable } from '@nestjs/common';
import { turnCost } from '../../shared/work/turn-cost.js';
import { EventAnnouncer } from '../observation/event-announcer.js';
import { Observation } from '../observation/observation.js';
import type { EmailEvent } from '../ports/event-listener.js';
import { DeliveryQueue } from '../queue/delivery-queue.js';
import { CommitHooks } from '../storage/accept/commit-hooks.js';
import { type Accepted, EmailsRepository, type NewEmail } from '../storage/accept/emails.repository.js';
import type { JoinedTransaction } from '../storage/accept/transactions.js';

type CommittedEmail = Pick<
  NewEmail,
  'id' | 'accountId' | 'isBulk' | 'recipients' | 'html' | 'text' | 'attachments' | 'copiedSize'
>;

/** Runs after emails are committed: notifies the host and the queue. */
@Injectable()
export class AfterCommit {
  private readonly hooks = new CommitHooks();

  constructor(
    @Inject(DeliveryQueue) private readonly queue: Pick<DeliveryQueue, 'wake'>,
    @Inject(EmailsRepository) private readonly emails: Pick<EmailsRepository, 'wakeUps'>,
    private readonly announcer: EventAnnouncer,
    private readonly observation: Observation,
  ) {}

  /**
   * @param accepted observations of the emails, in their order
   * @param started start of their request, by the clock of `performance`
   * @param transaction that they joined; without one they are committed. If its commit is not visible here, the sweep
   * finds them
   */
  notify(
    emails: readonly CommittedEmail[],
    accepted: readonly Accepted[],
    started: number,
    transaction: JoinedTransaction | undefined,
  ): void {
    if (!transaction) this.notifyNow(emails, accepted, started);
    else if (transaction.runner) this.hooks.add(transaction.runner, () => this.notifyNow(emails, accepted, started));
  }

  /**
   * Wakes the queue for emails whose commit was not visible here, each in the turn of its account and in its lane. It ignores
   * uncommitted ones. Never rejects: without PostgreSQL the sweep finds them.
   */
  async wake(ids: readonly string[]): Promise<void> {
    const found = await this.emails.wakeUps(ids).catch(() => []);
    for (const wakeUp of found) this.queue.wake({ ...wakeUp, mayShare: true });
  }

  private notifyNow(emails: readonly CommittedEmail[], accepted: readonly Accepted[], started: number): void {
    const duration = performance.now() - started;
    const events: EmailEvent[] = [];
    for (const [at, { delay, firstEvent: type, eventId, eventAt }] of accepted.entries()) {
      const email = emails[at];
      if (!email) continue;
      const { id: emailId, accountId, isBulk = false } = email;
      this.observation.accepted({ emailId, duration });
      events.push({ id: eventId, createdAt: new Date(eventAt), accountId, emailId, type });
      this.queue.wake({ emailId, accountId, fence: 0, delay, mayShare: true, isBulk, cost: costOf(email) });
    }
    this.announcer.announce(events);
  }
}

function costOf({ recipients, html, text, attachments, copiedSize = 0 }: CommittedEmail): number {
  let bytes = copiedSize + bytesOf(html) + bytesOf(text);
  for (const { size } of attachments) bytes += size;
  return turnCost(recipients.length, bytes);
}

function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}
