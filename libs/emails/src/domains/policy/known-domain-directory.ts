import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainDirectory } from '../../index.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { KnownDomains } from '../keys/known-domains.js';

/** Age of an answer, from the start of its query, as of `KnownDomains`. Milliseconds. */
const TTL = 1_000;
/** Limit of answers that are kept. */
const CAPACITY = 10_000;

/** $1: account, $2: id. */
const NAME = `SELECT name FROM ${SCHEMA}.domains WHERE account_id = $1 AND id = $2`;

interface Entry {
  since: number;
  answer: Promise<string | undefined>;
}

/** Tells other parts about the accounts' domains. A database that does not answer rejects. */
@Injectable()
export class KnownDomainDirectory implements DomainDirectory {
  private readonly names = new Map<string, Entry>();

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(KnownDomains) private readonly domains: Pick<KnownDomains, 'find'>,
  ) {}

  async nameOf(accountId: string, domainId: string): Promise<string | undefined> {
    if (!isUuid(domainId)) return undefined;
    const key = `${domainId} ${accountId}`;
    const known = this.names.get(key);
    const now = performance.now();
    if (known && now - known.since < TTL) return known.answer;
    const entry: Entry = { since: now, answer: this.findName(accountId, domainId) };
    this.names.delete(key);
    this.names.set(key, entry);
    entry.answer.catch(() => this.names.get(key) === entry && this.names.delete(key));
    if (this.names.size > CAPACITY) this.names.delete(this.names.keys().next().value as string);
    return entry.answer;
  }

  async returnPathOf(accountId: string, fromDomain: string): Promise<string | undefined> {
    return (await this.domains.find(accountId, fromDomain))?.returnPath ?? undefined;
  }

  private async findName(accountId: string, domainId: string): Promise<string | undefined> {
    const rows: { name: string }[] = await onMaster(this.dataSource, (manager) =>
      manager.query(NAME, [accountId, domainId]),
    );
    return rows[0]?.name;
  }
}
