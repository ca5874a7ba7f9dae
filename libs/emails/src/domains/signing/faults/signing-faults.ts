import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AlarmSource, HealthCheck, MetricsGauge, MetricsSource, NewAlarm } from '../../../index.js';
import type { AlarmCode } from '../../../shared/alarms/alarm-codes.js';
import { SigningCheck } from './signing-check.js';
import { type SigningFault, SigningFaultsRepository } from './signing-faults.repository.js';

const CODE: AlarmCode = 'signing_failed';
/** Faults of a domain within this time are noted once. Milliseconds. */
const PACE = 60_000;
/** Limit of domains whose faults this process remembers. */
const CAPACITY = 10_000;
/** How long the checked faults hold. Milliseconds. */
const HOLDS = 5_000;

/**
 * Domains whose mail waits because a key cannot sign: in the log, as a metric, an alarm and a health check. A fault ends with
 * the next signature, or when a look at it finds that the keys sign again.
 */
@Injectable()
export class SigningFaults implements AlarmSource, MetricsSource, HealthCheck {
  readonly name = 'domains';
  readonly codes = [CODE];
  private readonly logger = new Logger('Domains');
  /** When a fault of a domain was noted. Milliseconds of `performance.now()`. */
  private readonly noted = new Map<string, number>();
  private looked: Promise<readonly SigningFault[]> | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(SigningFaultsRepository)
    private readonly repository: Pick<SigningFaultsRepository, 'note' | 'end' | 'find'>,
    @Inject(SigningCheck) private readonly signing: Pick<SigningCheck, 'canSign'>,
  ) {}

  /** Notes that mail of a domain could not be signed. */
  failed(accountId: string, domain: string, error: Error): void {
    const key = keyOf(accountId, domain);
    const now = performance.now();
    if (now - (this.noted.get(key) ?? Number.NEGATIVE_INFINITY) < PACE) return;
    if (this.noted.size >= CAPACITY) this.noted.clear();
    this.noted.set(key, now);
    const { cause } = error;
    const kind = cause instanceof Error ? cause.name : error.name;
    this.logger.error(`A key of ${domain} cannot sign: ${kind}. Its emails wait, and leave when it can.`);
    // The next failure notes it again.
    this.repository.note(accountId, domain).catch(() => this.noted.delete(key));
  }

  /** Notes a signature. */
  signed(accountId: string, domain: string): void {
    if (this.noted.size === 0 || !this.noted.delete(keyOf(accountId, domain))) return;
    this.logger.log(`The keys of ${domain} sign again.`);
    // A look at the faults ends it otherwise.
    this.repository.end(accountId, domain).catch(() => {});
  }

  /** The faults of all processes, up to 100. Those whose keys sign again end. */
  async current(): Promise<readonly SigningFault[]> {
    if (!this.looked || performance.now() - this.lookedAt > HOLDS) {
      this.lookedAt = performance.now();
      this.looked = this.look();
      this.looked.catch(() => {
        this.looked = undefined;
      });
    }
    return this.looked;
  }

  async active(): Promise<NewAlarm[]> {
    return (await this.current()).map(({ accountId, domain, since }) => ({
      code: CODE,
      account: accountId,
      subject: domain,
      since,
      text: `A key of ${domain} cannot sign: the emails of this domain wait.`,
    }));
  }

  async gauges(): Promise<MetricsGauge[]> {
    const { length } = await this.current();
    return [{ name: 'domains_not_signing', help: 'Domains whose emails wait: a key cannot sign.', value: length }];
  }

  async check(): Promise<void> {
    const { length } = await this.current();
    if (length > 0) throw new Error(`Keys of ${length} ${length === 1 ? 'domain' : 'domains'} cannot sign.`);
  }

  private async look(): Promise<SigningFault[]> {
    const left: SigningFault[] = [];
    for (const fault of await this.repository.find()) {
      const { accountId, domain } = fault;
      if (await this.signing.canSign(accountId, domain)) {
        this.noted.delete(keyOf(accountId, domain));
        await this.repository.end(accountId, domain);
      } else left.push(fault);
    }
    return left;
  }
}

function keyOf(accountId: string, domain: string): string {
  return `${domain} ${accountId}`;
}
