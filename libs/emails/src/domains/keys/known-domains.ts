import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { onMaster } from '../../shared/rows/on-master.js';
import { Batcher } from '../../shared/work/batcher.js';
import type { KnownDomain } from './known-domain.js';
import { KNOWN_DOMAINS } from './known-domains.sql.js';

/** Age of an answer, from the start of its query: a change of a domain counts in every process after it. Milliseconds. */
const TTL = 1_000;
/** Limit of answers that are kept, and of domains in one query. */
const CAPACITY = 10_000;
const BATCH = 500;

interface Wanted {
  accountId: string;
  name: string;
}

interface Entry {
  since: number;
  answer: Promise<KnownDomain | undefined>;
}

type Row = { areAll: boolean } & (KnownDomain | { id: null });

/** All domains of the installation, by `keyOf`. */
interface All {
  since: number;
  found: ReadonlyMap<string, KnownDomain>;
}

/**
 * The domains that emails are sent from, for a second from memory. A database that does not answer rejects: no answer is
 * used beyond its age, since a key may have been revoked.
 */
@Injectable()
export class KnownDomains {
  private readonly entries = new Map<string, Entry>();
  /** Undefined if there are many: mail of a thousand accounts, most without a domain, would ask a thousand times a second. */
  private all: All | undefined;
  private changes = 0;
  private readonly queries = new Batcher<Wanted, KnownDomain | undefined>((wanted) => this.query(wanted), {
    maxSize: BATCH,
  });

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** The account's domain of this name. @param name in lower-case A-labels */
  find(accountId: string, name: string): Promise<KnownDomain | undefined> {
    const key = keyOf(accountId, name);
    const now = performance.now();
    if (this.all && now - this.all.since < TTL) return Promise.resolve(this.all.found.get(key));
    const known = this.entries.get(key);
    if (known && now - known.since < TTL) return known.answer;
    const entry: Entry = { since: now, answer: this.queries.add({ accountId, name }) };
    this.entries.delete(key);
    this.entries.set(key, entry);
    entry.answer.catch(() => this.entries.get(key) === entry && this.entries.delete(key));
    if (this.entries.size > CAPACITY) this.entries.delete(this.entries.keys().next().value as string);
    return entry.answer;
  }

  /** True if the account has a domain, whatever its state. */
  async hasAny(accountId: string): Promise<boolean> {
    const rows: unknown[] = await onMaster(this.dataSource, (manager) =>
      manager.query('SELECT FROM nestjs_emails.domains WHERE account_id = $1 LIMIT 1', [accountId]),
    );
    return rows.length > 0;
  }

  /** Forgets what this process knows of a domain that it changed. */
  forget(accountId: string, name: string): void {
    this.changes++;
    this.all = undefined;
    this.entries.delete(keyOf(accountId, name));
  }

  private async query(wanted: readonly Wanted[]): Promise<(KnownDomain | undefined)[]> {
    const accounts = wanted.map(({ accountId }) => accountId);
    const names = wanted.map(({ name }) => name);
    const [since, { changes }] = [performance.now(), this];
    const rows: Row[] = await onMaster(this.dataSource, (manager) => manager.query(KNOWN_DOMAINS, [accounts, names]));
    const found = new Map(
      rows.flatMap(({ areAll: _, ...row }) => (row.id === null ? [] : [[keyOf(row.accountId, row.name), row]])),
    );
    if (rows[0]?.areAll && changes === this.changes) this.all = { since, found };
    return wanted.map(({ accountId, name }) => found.get(keyOf(accountId, name)));
  }
}

/** Neither has a line break. */
function keyOf(accountId: string, name: string): string {
  return `${name}\n${accountId}`;
}
