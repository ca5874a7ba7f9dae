import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FairSemaphore } from '../../shared/work/fair-semaphore.js';
import { DomainNameService } from '../dns/domain-name-service.js';
import { DOMAIN_LIMITS } from '../limits.js';
import { PublicSuffixes } from '../names/public-suffixes.js';
import { RecordRules } from '../records/record-rules.js';
import type { DomainWithKeys } from '../storage/domains.repository.js';
import { DomainChecksRepository, type LeasedDomain } from './domain-checks.repository.js';
import { lookedUpRecords } from './domain-state.js';
import { lookUpDomain } from './look-up-domain.js';

/** Delay of the check of a rotation: the record is not there yet, and resolvers keep its absence. Milliseconds. */
const AFTER_ROTATION = 60_000;

type AskedDomain = Pick<LeasedDomain, 'id' | 'accountId'>;

/**
 * Checks domains, each by one process at a time (a lease in its row). The process of a request makes the first check itself, so
 * that it needs no worker; later ones are the watch's.
 */
@Injectable()
export class DomainChecker implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Domains');
  /** For checks that were asked for: the watch never waits for the domains of one account. */
  private readonly slots = new FairSemaphore(DOMAIN_LIMITS.checks.max);
  /** Domains that wait for a slot. */
  private readonly waiting = new Set<string>();
  private readonly running = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(DomainChecksRepository) private readonly checks: DomainChecksRepository,
    @Inject(DomainNameService) private readonly dns: DomainNameService,
    @Inject(RecordRules) private readonly rules: Pick<RecordRules, 'of'>,
    @Inject(PublicSuffixes) private readonly suffixes: Pick<PublicSuffixes, 'registered'>,
  ) {}

  /** Asks for checks of a domain, in the transaction of a request to verify it. */
  askFor(manager: EntityManager, found: DomainWithKeys): Promise<void> {
    return this.checks.askFor(manager, found);
  }

  /** The same for new keys. */
  askForNewKeys(manager: EntityManager, found: DomainWithKeys): Promise<void> {
    return this.checks.askFor(manager, found, AFTER_ROTATION);
  }

  /** Checks a domain in the background as soon as it is due. */
  checkSoon(domain: AskedDomain): void {
    const check = () => this.inBackground(() => this.checkInTurn(domain));
    check();
    // It was checked a moment ago, or is being checked.
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      check();
    }, DOMAIN_LIMITS.checkPace.max + 100).unref();
    this.timers.add(timer);
  }

  /** Checks the domains that the watch has leased, all at once. */
  async checkAll(leased: readonly LeasedDomain[]): Promise<void> {
    await Promise.all(leased.map((domain) => this.check(domain)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private inBackground(work: () => Promise<void>): void {
    if (this.stopping.signal.aborted) return;
    const run = work()
      .catch(() => this.logger.warn('A domain could not be checked. A process with workers tries it again.'))
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Leases the domain once it has a slot, so that no lease ends in between. */
  private async checkInTurn({ id, accountId }: AskedDomain): Promise<void> {
    if (this.waiting.has(id)) return;
    this.waiting.add(id);
    const release = await this.slots.acquire(accountId);
    this.waiting.delete(id);
    try {
      if (this.stopping.signal.aborted) return;
      const leased = await this.checks.lease(id);
      if (leased) await this.check(leased);
    } finally {
      release();
    }
  }

  /** After a failure its lease ends by itself, and it is due again. */
  private async check(leased: LeasedDomain): Promise<void> {
    try {
      const found = await this.checks.read(leased);
      if (!found) return;
      const findings = await this.lookUp(found);
      if (this.stopping.signal.aborted) await this.checks.release(leased);
      else if (await this.checks.settle(leased, findings, found.domain.nextCheckAt)) this.checkSoon(leased);
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown error';
      this.logger.warn(`Domain ${leased.id} could not be checked: ${kind}. It will be tried again.`);
    }
  }

  private lookUp({ domain, keys }: DomainWithKeys) {
    const signal = AbortSignal.any([AbortSignal.timeout(DOMAIN_LIMITS.checkTime.max), this.stopping.signal]);
    return lookUpDomain(
      this.dns,
      lookedUpRecords(this.rules.of(domain, keys)),
      {
        name: domain.name,
        registered: this.suffixes.registered(domain.name),
        keys: new Map(keys.map(({ selector, publicKey }) => [selector, publicKey])),
      },
      signal,
    );
  }
}
