import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { HousekeepingTask } from '../../index.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { type KeyPlace, type SealedKey, SealedKeys } from './sealed-keys.js';

/** Keys of one step. */
const STEP = 100;
const FIRST: KeyPlace = { domainId: '00000000-0000-0000-0000-000000000000', selector: '' };

/** $1: ids of old secret keys, $2 and $3: domain and selector of the last key of the step before. */
const OLD = `
  SELECT domain_id AS "domainId", selector, key_id AS "keyId", sealed FROM ${SCHEMA}.domain_keys
  WHERE key_id = ANY($1) AND (domain_id, selector) > ($2::uuid, $3)
  ORDER BY domain_id, selector LIMIT ${STEP} FOR NO KEY UPDATE SKIP LOCKED`;

/** $1: domains, $2: selectors, $3: ids of the secret key, $4: sealed keys. */
const RESEAL = `
  UPDATE ${SCHEMA}.domain_keys k SET key_id = fresh.key_id, sealed = fresh.sealed
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS fresh(domain_id, selector, key_id, sealed)
  WHERE k.domain_id = fresh.domain_id AND k.selector = fresh.selector`;

/**
 * Encrypts the private keys of domains with the new secret, so that the old one may go. Without an old secret it asks
 * nothing. Keys that cannot be opened stay as they are.
 */
@Injectable()
export class KeyResealing implements HousekeepingTask {
  readonly interval = 600_000;
  private isFirst = true;
  private last = FIRST;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SealedKeys) private readonly keys: SealedKeys,
  ) {}

  /** The first step does nothing: while a deploy is under way, other processes may know only the old secret. */
  async step(): Promise<boolean> {
    const { oldIds } = this.keys;
    if (this.isFirst || oldIds.length === 0) {
      this.isFirst = false;
      return false;
    }
    const found = await this.dataSource.transaction(async (manager) => {
      const rows: (KeyPlace & SealedKey)[] = await manager.query(OLD, [oldIds, this.last.domainId, this.last.selector]);
      const fresh = rows.flatMap((row) => {
        const sealed = this.keys.resealed(row);
        return sealed ? [{ ...row, ...sealed }] : [];
      });
      const columns = (['domainId', 'selector', 'keyId', 'sealed'] as const).map((name) =>
        fresh.map((row) => row[name]),
      );
      if (fresh.length > 0) await manager.query(RESEAL, columns);
      return rows;
    });
    const hasMore = found.length === STEP;
    this.last = (hasMore && found.at(-1)) || FIRST;
    return hasMore;
  }
}
