import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import type { EmailsObserver } from '../../index.js';
import { domainOf } from '../../shared/mailbox/domain-of.js';
import { operatorOfHost, operatorOfMailboxes } from '../../shared/replies/operator-words.js';
import { type NewOperatorCount, NO_OPERATOR, OperatorsRepository } from './operators.repository.js';

/** Longest time that counts stay in memory. Milliseconds. */
export const FLUSH_AFTER = 5_000;

/** Counts the recipients of each operator in memory, and writes the sums every five seconds. */
@Injectable()
export class OperatorCounter implements EmailsObserver, BeforeApplicationShutdown {
  private readonly logger = new Logger(OperatorCounter.name);
  private counts = new Map<string, NewOperatorCount>();
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(OperatorsRepository) private readonly operators: Pick<OperatorsRepository, 'count'>) {}

  attempted({
    accountId,
    outcomes,
  }: {
    accountId: string;
    outcomes: readonly { address: string; outcome: string }[];
  }): void {
    for (const { address, outcome } of outcomes) {
      if (outcome !== 'accepted' && outcome !== 'rejected') continue;
      this.add({ operator: operatorOfAddress(address) ?? NO_OPERATOR, accountId, ...ONE });
    }
    if (this.counts.size > 0) this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Writes the counts. After a failure they are written with the next ones. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counts = this.counts;
    this.counts = new Map();
    const rows = [...counts.values()];
    try {
      await this.operators.count(rows);
    } catch {
      for (const row of rows) this.add(row);
      this.logger.warn('Recipients of operators could not be counted. It will be tried again.');
    }
  }

  private add(count: NewOperatorCount): void {
    const key = `${count.operator} ${count.accountId}`;
    const known = this.counts.get(key);
    if (known) known.recipients += count.recipients;
    else this.counts.set(key, count);
  }
}

const ONE = { recipients: 1, refusals: 0, ownRefusals: 0 };

/** The operator to which the domain of an address belongs, such as `gmail` for `gmail.com`. */
export function operatorOfAddress(address: string): string | undefined {
  return operatorOfMailbox(address) ?? operatorOfHost(domainOf(address));
}

/** The operator whose own mailbox an address is: it alone receives mail for its domain. */
export function operatorOfMailbox(address: string): string | undefined {
  return operatorOfMailboxes(domainOf(address));
}
