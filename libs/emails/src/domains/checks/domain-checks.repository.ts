import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { transactBounded } from '../../shared/rows/transact-bounded.js';
import { publishDomain } from '../events/publish-domain.js';
import { DOMAIN_LIMITS } from '../limits.js';
import { RecordRules } from '../records/record-rules.js';
import { DomainEntity } from '../storage/domain.entity.js';
import { DomainKeyEntity } from '../storage/domain-key.entity.js';
import { DomainsRepository, type DomainWithKeys, lockDomain } from '../storage/domains.repository.js';
import type { RecordChecks } from '../storage/record-check.js';
import * as sql from './domain-checks.sql.js';
import { changedKeys, checked, requested } from './domain-state.js';
import type { Findings } from './look-up-domain.js';

/** A process that died leaves its lease, which ends some time after the lookups must have ended. Milliseconds. */
const LEASE = 3 * DOMAIN_LIMITS.checkTime.max;
/** Time for which a replaced key stays listed, for mail under way. Milliseconds. */
const LISTED = 7 * 86_400_000;
/** Due domains among which accounts take turns. */
const LOOKED_AT = 10_000;

/** A domain that this process checks. */
export interface LeasedDomain {
  id: string;
  accountId: string;
  fence: number;
}

/** The checks of domains in the database. */
@Injectable()
export class DomainChecksRepository {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(DomainsRepository) private readonly domains: Pick<DomainsRepository, 'findWithKeys'>,
    @Inject(RecordRules) private readonly rules: Pick<RecordRules, 'of'>,
  ) {}

  /** Leases a domain that is due. */
  async lease(id: string): Promise<LeasedDomain | undefined> {
    return (await this.update<LeasedDomain>(sql.LEASE, [LEASE, id]))[0];
  }

  /** Leases domains that are due, of each account in turn. */
  leaseDue(limit: number): Promise<LeasedDomain[]> {
    return this.update(sql.LEASE_DUE, [LEASE, limit, LOOKED_AT]);
  }

  /** Milliseconds until a domain is due, if one is due within a time. @param within milliseconds */
  async dueIn(within: number): Promise<number | undefined> {
    const [row]: { wait: string | null }[] = await this.dataSource.query(sql.DUE_IN, [within]);
    return row?.wait == null ? undefined : Math.max(0, Number(row.wait));
  }

  /** Gives a lease back. */
  async release({ id, fence }: LeasedDomain): Promise<void> {
    await this.dataSource.query(sql.RELEASE, [id, fence]);
  }

  /** Reads a leased domain; undefined if it was deleted or leased by another process. */
  async read({ id, accountId, fence }: LeasedDomain): Promise<DomainWithKeys | undefined> {
    const found = await this.domains.findWithKeys(accountId, id);
    return found?.domain.fence === fence ? found : undefined;
  }

  /** Asks for a check in the transaction of a request. @param delay milliseconds */
  async askFor(manager: EntityManager, { domain, keys }: DomainWithKeys, delay = 0): Promise<void> {
    const now = new Date();
    const records = this.rules.of(domain, keys);
    const before = statuses(domain, records);
    const state = requested(domain, records, now);
    const last = domain.checkedAt?.getTime() ?? 0;
    const nextCheckAt = new Date(Math.max(now.getTime() + delay, last + DOMAIN_LIMITS.checkPace.max));
    await manager.update(DomainEntity, { id: domain.id }, { ...state, nextCheckAt } as object);
    Object.assign(domain, state);
    if (statuses(domain, records) !== before) await publishDomain(manager, 'domain.updated', domain, records);
  }

  /**
   * Records the results of a leased check, and what follows from them for the status and the keys.
   *
   * @returns true if another check was asked for meanwhile
   */
  async settle({ id, fence }: LeasedDomain, findings: Findings, dueAt: Date | null): Promise<boolean> {
    return transactBounded(this.dataSource, DOMAIN_LIMITS.lock.max, async (manager) => {
      const found = await lockDomain(manager, { id });
      if (found?.domain.fence !== fence) return false;
      const { domain, keys } = found;
      const now = new Date();
      const records = this.rules.of(domain, keys);
      const before = statuses(domain, records);
      const { nextCheckAt, ...state } = checked(domain, records, findings, now);
      const isAsked = domain.nextCheckAt?.getTime() !== dueAt?.getTime();
      const columns = { ...state, leasedUntil: null, ...(!isAsked && { nextCheckAt }) };
      await manager.update(DomainEntity, { id }, columns as object);
      await this.changeKeys(manager, id, keys, state.checks, now);
      Object.assign(domain, state);
      if (statuses(domain, records) !== before) await publishDomain(manager, 'domain.updated', domain, records);
      return isAsked;
    });
  }

  /** Deletes keys that were replaced long ago. */
  async deleteOldKeys(): Promise<void> {
    await this.dataSource.query(sql.DELETE_OLD_KEYS, [LISTED]);
  }

  private async changeKeys(
    manager: EntityManager,
    domainId: string,
    keys: readonly DomainKeyEntity[],
    checks: RecordChecks,
    now: Date,
  ): Promise<void> {
    const { verified, retired } = changedKeys(keys, checks, now);
    for (const { selector } of verified) {
      await manager.update(DomainKeyEntity, { domainId, selector }, { verifiedAt: now });
    }
    for (const { selector } of retired) {
      await manager.update(DomainKeyEntity, { domainId, selector }, { retiredAt: now });
    }
  }

  /** The rows of a statement that changes them. */
  private async update<Row>(statement: string, values: unknown[]): Promise<Row[]> {
    const [rows]: [Row[], number] = await this.dataSource.query(statement, values);
    return rows;
  }
}

/** The part of a domain whose change is an event. */
function statuses({ status, checks }: Pick<DomainEntity, 'status' | 'checks'>, records: readonly { key: string }[]) {
  return JSON.stringify([status, ...records.map(({ key }) => [key, checks[key]?.status ?? 'not_started'])]);
}
