import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { IdentifiedKey } from '../../shared/callers/account-resolver.js';
import type { Permission } from '../../shared/callers/caller.js';
import type { PageRole } from '../../shared/callers/page-roles.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { GroupedLookup } from './grouped-lookup.js';
import { LookupCache } from './lookup-cache.js';
import { hashToken } from './token.js';

/**
 * A revoked key stops working within this time on every process. The contract promises one second; this is half of it.
 * Milliseconds.
 */
const TTL = 500;

const CAPACITY = 10_000;

/** For limited callers: up to 20 queries a second per process. */
const GROUPS = { maxSize: 1_000, pace: 50 };

/** $1: hashes. Runs before every request whose key is not cached. It costs a fifth of a find of the entity. */
const FIND = `
SELECT id, account_id, permission, page_role, domain_id, token_hash FROM ${SCHEMA}.api_keys
WHERE token_hash = ANY ($1::bytea[]) AND revoked_at IS NULL`;

/** $1: id. */
const FIND_BY_ID = `
SELECT id, account_id, permission, page_role, domain_id, token_hash FROM ${SCHEMA}.api_keys
WHERE id = $1 AND revoked_at IS NULL`;

interface FoundKey {
  id: string;
  account_id: string;
  permission: Permission;
  page_role: PageRole | null;
  domain_id: string | null;
  token_hash: Buffer;
}

/** Finds keys by their token. */
@Injectable()
export class KeyLookupService {
  private readonly cache = new LookupCache<IdentifiedKey>({ ttl: TTL, capacity: CAPACITY });
  private readonly byId = new LookupCache<IdentifiedKey>({ ttl: TTL, capacity: CAPACITY });

  private readonly grouped = new GroupedLookup<IdentifiedKey>((hashes) => this.query(hashes), GROUPS);

  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param isHeldBack called when the token is not cached: true has it looked up in a group with the tokens of all
   * limited callers
   * @returns null for a token that is unknown or revoked
   */
  find(token: string, isHeldBack: () => Promise<boolean>): Promise<IdentifiedKey | null> {
    const hash = hashToken(token).toString('hex');
    return this.cache.find(hash, async () => ((await isHeldBack()) ? this.grouped.find(hash) : this.findOne(hash)));
  }

  /**
   * Finds a key by its id. A revoked key is found for as long as by its token.
   *
   * @returns null for an unknown or revoked one
   */
  async findById(id: string): Promise<IdentifiedKey | null> {
    if (!isUuid(id)) return null;
    return this.byId.find(id, async () => {
      const [key] = await this.dataSource.query<FoundKey[]>(FIND_BY_ID, [id]);
      return key ? identified(key) : null;
    });
  }

  /** Makes a revoked or imported key take effect at once in this process. */
  forgetAll(): void {
    this.cache.clear();
    this.byId.clear();
  }

  private async findOne(hash: string): Promise<IdentifiedKey | null> {
    return (await this.query([hash])).get(hash) ?? null;
  }

  /** @param hashes in hexadecimal */
  private async query(hashes: readonly string[]): Promise<Map<string, IdentifiedKey>> {
    const keys = await this.dataSource.query<FoundKey[]>(FIND, [hashes.map((hash) => Buffer.from(hash, 'hex'))]);
    return new Map(keys.map((key) => [key.token_hash.toString('hex'), identified(key)]));
  }
}

function identified({ id, account_id: accountId, permission, ...key }: FoundKey): IdentifiedKey {
  const { page_role: role, domain_id: domainId } = key;
  const bound = { ...(role !== null && { role }), ...(domainId !== null && { domainId }) };
  return { id, caller: { accountId, permission, apiKeyId: id, ...bound } };
}
