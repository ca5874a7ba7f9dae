import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import { DOMAIN_LIMITS } from '../limits.js';
import { DomainChecker } from './domain-checker.js';
import { DomainChecksRepository } from './domain-checks.repository.js';

/** Time between two looks. One that finds no domain reads an empty index. Milliseconds. */
const INTERVAL = 60_000;
/** Domains that are leased together. */
const STEP = DOMAIN_LIMITS.checks.max;

/** Checks domains when they are due, in processes with workers, and deletes keys that were replaced a week ago. */
@Injectable()
export class DomainWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Domains');
  private readonly task = new PeriodicTask(
    () => this.step(),
    INTERVAL,
    () => this.logger.warn('Domains could not be checked. It will be tried again.'),
  );

  constructor(
    @Inject(DomainChecksRepository)
    private readonly checks: Pick<DomainChecksRepository, 'leaseDue' | 'dueIn' | 'deleteOldKeys'>,
    @Inject(DomainChecker) private readonly checker: Pick<DomainChecker, 'checkAll'>,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Resolves with true when there may be more to do. */
  async step(): Promise<boolean> {
    const leased = await this.checks.leaseDue(STEP);
    await this.checker.checkAll(leased);
    await this.checks.deleteOldKeys();
    if (leased.length === STEP) return true;
    const wait = await this.checks.dueIn(INTERVAL);
    if (wait !== undefined) this.task.wakeIn(wait);
    return false;
  }
}
