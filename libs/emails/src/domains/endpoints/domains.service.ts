import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { isUniqueViolation } from '../../shared/errors/database-errors.js';
import { ALL, type PageQueryDto } from '../../shared/http/page-query.dto.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import { askedBy, given } from '../../shared/rows/account.repository.js';
import { asId } from '../../shared/rows/account-row.js';
import { toEnvelope } from '../../shared/rows/page.js';
import { transactBounded } from '../../shared/rows/transact-bounded.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import type { Given } from '../../shared/validation/given.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import { DomainChecker } from '../checks/domain-checker.js';
import { publishDomain } from '../events/publish-domain.js';
import { KnownDomains } from '../keys/known-domains.js';
import { NewKeys, nextGeneration } from '../keys/new-keys.js';
import { SealedKeys } from '../keys/sealed-keys.js';
import { DOMAIN_LIMITS } from '../limits.js';
import { PublicSuffixes } from '../names/public-suffixes.js';
import { readDomainName } from '../names/read-domain-name.js';
import { RecordRules } from '../records/record-rules.js';
import { DomainEntity } from '../storage/domain.entity.js';
import { DomainKeyEntity, type KeyAlgorithm } from '../storage/domain-key.entity.js';
import { DomainsRepository, type DomainWithKeys, lockDomain } from '../storage/domains.repository.js';
import type { ChangedDomainDto } from './changed-domain.dto.js';
import { CreateDomainDto } from './create-domain.dto.js';
import type { DomainDto } from './domain.dto.js';
import type { DomainListDto } from './domain-list.dto.js';
import type { NewDomainDto } from './new-domain.dto.js';
import { DEFAULT_REGION, readRegion } from './regions.js';
import { listedDomain, newDomain, shownDomain } from './shown-domain.js';
import { UpdateDomainDto } from './update-domain.dto.js';

/** Advisory-lock namespace of adding a domain to an account (`doma` in ASCII). */
const ADDING = 0x646f_6d61;
const DEFAULT_RETURN_PATH = 'send';

/** A domain to create. */
export type NewDomain = Given<CreateDomainDto, 'name'>;

/** Undefined: as it is. */
export type DomainChanges = Given<UpdateDomainDto>;

/**
 * The domains of the accounts, by the rules of `/domains`. Methods resolve to undefined for a domain that the account does
 * not have. A value that breaks a rule is refused with an `ApiError`, an invalid account id with a `TypeError`.
 *
 * @example
 * ```ts
 * const { id, records } = await app.get(DomainsService).create('acme', { name: 'example.com' });
 * // Once the records are published:
 * await app.get(DomainsService).verify('acme', id);
 * ```
 */
@Injectable()
export class DomainsService {
  /** @internal Made by `domains()`. */
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(DomainsRepository) private readonly domains: DomainsRepository,
    @Inject(RecordRules) private readonly rules: RecordRules,
    @Inject(PublicSuffixes) private readonly suffixes: Pick<PublicSuffixes, 'refuse'>,
    @Inject(NewKeys) private readonly newKeys: Pick<NewKeys, 'make' | 'place'>,
    @Inject(SealedKeys) private readonly sealedKeys: Pick<SealedKeys, 'knows'>,
    @Inject(KnownDomains) private readonly known: Pick<KnownDomains, 'forget'>,
    @Inject(DomainChecker) private readonly checker: Pick<DomainChecker, 'askFor' | 'askForNewKeys' | 'checkSoon'>,
  ) {}

  /** Creates a domain with its keys. @throws ApiError 403 for one that an account has already */
  async create(accountId: string, values: NewDomain, caller?: Caller): Promise<NewDomainDto> {
    checkAccountId(accountId);
    const read = readValues(values, CreateDomainDto);
    const region = readRegion(read.region ?? DEFAULT_REGION);
    const returnPath = (read.custom_return_path ?? DEFAULT_RETURN_PATH).toLowerCase();
    const name = readDomainName(read.name, returnPath);
    this.suffixes.refuse(name);
    if (await this.domains.isTaken(name)) throw taken(name);
    const algorithms = this.rules.isSignedByRelay ? [] : (read.dkim ?? ['rsa']);
    const pairs = algorithms.length > 0 ? await this.newKeys.make(accountId, algorithms) : new Map();
    const id = randomUUID();
    const none = { generation: 0, selectorMonth: null, selectorCount: 0 };
    const columns = {
      id,
      accountId,
      name,
      region,
      returnPath,
      tls: read.tls ?? 'opportunistic',
      sending: read.capabilities?.sending !== 'disabled',
      challenge: randomBytes(24).toString('base64url'),
      ...(pairs.size > 0 ? nextGeneration(none) : none),
    } as const;
    const made = await this.transact(async (manager) => {
      await this.refuseTooMany(manager, accountId);
      await this.domains.insert(columns, manager).catch((error: unknown) => {
        throw isUniqueViolation(error) ? taken(name) : error;
      });
      if (pairs.size > 0) await manager.insert(DomainKeyEntity, this.newKeys.place(id, columns, pairs));
      const created = (await lockDomain(manager, { id })) as DomainWithKeys;
      await publishDomain(manager, 'domain.created', created.domain, this.rules.of(created.domain, created.keys));
      await this.domains.noteAction(caller, 'domain.create', id, manager);
      return created;
    });
    this.known.forget(accountId, name);
    return newDomain(this.parts(made), (keyId) => this.sealedKeys.knows(keyId));
  }

  /** The account's domains, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQueryDto = {}): Promise<DomainListDto> {
    checkAccountId(accountId);
    return toEnvelope(await this.domains.page(accountId, toPageRequest(query, ALL)), listedDomain);
  }

  /** The domain with this id, its records, and what is wrong with them. */
  async find(accountId: string, id: string): Promise<DomainDto | undefined> {
    checkAccountId(accountId);
    const key = asId(id);
    const found = key && (await this.domains.findWithKeys(accountId, key.id));
    return found && shownDomain(this.parts(found), (keyId) => this.sealedKeys.knows(keyId));
  }

  /** Changes a domain. */
  async update(
    accountId: string,
    id: string,
    changes: DomainChanges,
    caller?: Caller,
  ): Promise<ChangedDomainDto | undefined> {
    checkAccountId(accountId);
    const { tls, capabilities, id: own, domain_id } = readValues(changes, UpdateDomainDto);
    checkRepeated({ id: own, domain_id }, isSameId(id));
    const { sending } = capabilities ?? {};
    const columns = given({ tls, sending: sending === undefined ? undefined : sending === 'enabled' });
    return this.locked(accountId, id, async (manager, { domain, keys }) => {
      if (Object.keys(columns).length > 0) await manager.update(DomainEntity, { id: domain.id }, columns);
      if (columns.sending !== undefined && columns.sending !== domain.sending) {
        const changed = Object.assign(domain, columns);
        await publishDomain(manager, 'domain.updated', changed, this.rules.of(changed, keys));
      }
      await this.domains.noteAction(askedBy(caller, columns), 'domain.update', domain.id, manager);
      return { object: 'domain', id: domain.id };
    });
  }

  /** Deletes a domain and its keys: its mail is no longer signed. @returns the id */
  async remove(accountId: string, id: string, caller?: Caller): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.locked(accountId, id, async (manager, { domain, keys }) => {
      await manager.delete(DomainEntity, { id: domain.id });
      await publishDomain(manager, 'domain.deleted', domain, this.rules.of(domain, keys));
      await this.domains.noteAction(caller, 'domain.delete', domain.id, manager);
      return domain.id;
    });
  }

  /** Has the records looked up, now and for 72 h from now. Resolves before they are. */
  async verify(accountId: string, id: string, caller?: Caller): Promise<ChangedDomainDto | undefined> {
    checkAccountId(accountId);
    const found = await this.locked(accountId, id, async (manager, { domain, keys }) => {
      await this.checker.askFor(manager, { domain, keys });
      await this.domains.noteAction(caller, 'domain.verify', domain.id, manager);
      return domain.id;
    });
    if (found === undefined) return undefined;
    this.checker.checkSoon({ id: found, accountId });
    return { object: 'domain', id: found };
  }

  /**
   * Makes a new pair of each algorithm. The old keys sign until the record of the new one is verified, and are deleted 7
   * days later. A new pair that is still pending is replaced.
   */
  async rotate(accountId: string, id: string, caller?: Caller): Promise<ChangedDomainDto | undefined> {
    checkAccountId(accountId);
    const key = asId(id);
    const found = key && (await this.domains.findWithKeys(accountId, key.id));
    if (!found) return undefined;
    if (this.rules.isSignedByRelay) {
      throw ApiError.invalid('There are no keys to rotate: the relay of this server signs.');
    }
    refuseManyKeys(found.keys);
    const pairs = await this.newKeys.make(accountId, newestAlgorithms(found));
    const rotated = await this.locked(accountId, id, async (manager, before) => {
      refuseManyKeys(before.keys);
      const pending = before.keys.filter(({ verifiedAt }) => verifiedAt === null);
      for (const { domainId, selector } of pending) await manager.delete(DomainKeyEntity, { domainId, selector });
      const next = nextGeneration(before.domain);
      await manager.update(DomainEntity, { id: before.domain.id }, next);
      await manager.insert(DomainKeyEntity, this.newKeys.place(before.domain.id, next, pairs));
      const { domain, keys } = (await lockDomain(manager, { id: before.domain.id })) as DomainWithKeys;
      if (domain.verifyingSince) await this.checker.askForNewKeys(manager, { domain, keys });
      else await publishDomain(manager, 'domain.updated', domain, this.rules.of(domain, keys));
      await this.domains.noteAction(caller, 'domain.rotate_dkim', domain.id, manager);
      return domain.id;
    });
    return rotated === undefined ? undefined : { object: 'domain', id: rotated };
  }

  private parts(found: DomainWithKeys) {
    return { ...found, records: this.rules.of(found.domain, found.keys) };
  }

  private async refuseTooMany(manager: EntityManager, accountId: string): Promise<void> {
    const { max } = DOMAIN_LIMITS.domains;
    await manager.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ADDING, accountId]);
    if ((await manager.countBy(DomainEntity, { accountId })) >= max) {
      throw ApiError.invalid(`An account may have ${max.toLocaleString('en')} domains. Delete one first.`);
    }
  }

  private transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return transactBounded(this.dataSource, DOMAIN_LIMITS.lock.max, work);
  }

  /** Until the transaction ends, no other one changes the domain. Then this process reads it again. */
  private async locked<T>(
    accountId: string,
    id: string,
    work: (manager: EntityManager, found: DomainWithKeys) => Promise<T>,
  ): Promise<T | undefined> {
    const key = asId(id);
    if (!key) return undefined;
    let name: string | undefined;
    const result = await this.transact(async (manager) => {
      const found = await lockDomain(manager, { id: key.id, accountId });
      name = found?.domain.name;
      return found && work(manager, found);
    });
    if (name !== undefined) this.known.forget(accountId, name);
    return result;
  }
}

const taken = (name: string): ApiError =>
  new ApiError(403, 'validation_error', `The \`${name}\` domain has been registered already.`);

function refuseManyKeys(keys: readonly DomainKeyEntity[]): void {
  const { max } = DOMAIN_LIMITS.keys;
  if (keys.length < max) return;
  throw ApiError.invalid(`The domain has ${max} DKIM keys. Replaced ones are deleted after 7 days: wait until then.`);
}

/** The algorithms of the newest keys. */
function newestAlgorithms({ domain, keys }: DomainWithKeys): KeyAlgorithm[] {
  const newest = keys.filter(({ generation }) => generation === domain.generation);
  return newest.length > 0 ? newest.map(({ algorithm }) => algorithm) : ['rsa'];
}
