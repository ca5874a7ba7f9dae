import { Inject, Injectable, Optional } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import { AccountRepository } from '../../shared/rows/account.repository.js';
import { findRows } from '../../shared/rows/find-rows.js';
import { DomainEntity } from './domain.entity.js';
import { DomainKeyEntity } from './domain-key.entity.js';

/** A domain with all of its keys, the oldest first. */
export interface DomainWithKeys {
  domain: DomainEntity;
  keys: DomainKeyEntity[];
}

/** The domains of the accounts. */
@Injectable()
export class DomainsRepository extends AccountRepository<DomainEntity> {
  constructor(
    @InjectRepository(DomainEntity) rows: Repository<DomainEntity>,
    @Optional() @Inject(ACTION_LOG) log?: ActionLog,
  ) {
    super(rows, log);
  }

  /** A domain of the account with its keys. */
  async findWithKeys(accountId: string, id: string): Promise<DomainWithKeys | undefined> {
    return this.onMaster(async (rows) => {
      const [domain] = await findRows(rows, { where: { id, accountId } });
      return domain && { domain, keys: await keysOf(rows.manager, id) };
    });
  }

  /** True if a domain of any account has this name. */
  async isTaken(name: string): Promise<boolean> {
    return this.onMaster((rows) => rows.existsBy({ name }));
  }
}

/** Locks a domain until the end of the transaction, and reads it with its keys. */
export async function lockDomain(
  manager: EntityManager,
  where: { id: string; accountId?: string },
): Promise<DomainWithKeys | undefined> {
  const lock = { mode: 'pessimistic_write' } as const;
  const [domain] = await findRows(manager.getRepository(DomainEntity), { where, lock });
  return domain && { domain, keys: await keysOf(manager, domain.id) };
}

function keysOf(manager: EntityManager, domainId: string): Promise<DomainKeyEntity[]> {
  return findRows(manager.getRepository(DomainKeyEntity), {
    where: { domainId },
    order: { generation: 'ASC', algorithm: 'DESC' },
  });
}
