import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import type { EmailsObserver } from '../../index.js';
import { operatorOfHost } from '../../shared/replies/operator-words.js';
import { NO_OPERATOR, OperatorsRepository } from './operators.repository.js';

/** Longest time that counts stay in memory. Milliseconds. */
export const FLUSH_AFTER = 5_000;

/** Counts the recipients of each operator in memory, and writes the sums every five seconds. */
@Injectable()
export class OperatorCounter implements EmailsObserver, BeforeApplicationShutdown {
  private readonly logger = new Logger(OperatorCounter.name);
  private counts = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(OperatorsRepository) private readonly operators: Pick<OperatorsRepository, 'count'>) {}

  attempted({ outcomes }: { outcomes: readonly { address: string; outcome: string }[] }): void {
    for (const { address, outcome } of outcomes) {
      if (outcome !== 'accepted' && outcome !== 'rejected') continue;
      const operator = operatorOfAddress(address) ?? NO_OPERATOR;
      this.counts.set(operator, (this.counts.get(operator) ?? 0) + 1);
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
    const rows = [...counts].map(([operator, recipients]) => ({ operator, recipients, refusals: 0, ownRefusals: 0 }));
    try {
      await this.operators.count(rows);
    } catch {
      for (const [operator, count] of counts) this.counts.set(operator, (this.counts.get(operator) ?? 0) + count);
      this.logger.warn('Recipients of operators could not be counted. It will be tried again.');
    }
  }
}

/** The operator to which the domain of an address belongs, such as `gmail` for `gmail.com`. */
export function operatorOfAddress(address: string): string | undefined {
  return operatorOfHost(address.slice(address.lastIndexOf('@') + 1));
}
