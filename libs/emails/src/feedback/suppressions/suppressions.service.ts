import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import type { ActionName } from '../../shared/actions/action-names.js';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import { readQuery } from '../../shared/http/query.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import type { RowKey } from '../../shared/rows/account.repository.js';
import { asId } from '../../shared/rows/account-row.js';
import { toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { parseIsoTime } from '../../shared/text/iso-time.js';
import type { Given } from '../../shared/validation/given.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { FEEDBACK_LIMITS } from '../limits.js';
import { AddSuppressionDto } from './add-suppression.dto.js';
import { AddSuppressionsDto } from './add-suppressions.dto.js';
import type { AddedSuppressionDto } from './added-suppression.dto.js';
import type { AddedSuppressionsDto } from './added-suppressions.dto.js';
import { CandidatesRepository, type ListedCandidate } from './candidates.repository.js';
import { ListSuppressionsQueryDto } from './list-suppressions-query.dto.js';
import type { ListedSuppressionDto } from './listed-suppression.dto.js';
import { RemoveSuppressionsDto } from './remove-suppressions.dto.js';
import type { RemovedSuppressionsDto } from './removed-suppressions.dto.js';
import type { SuppressionDto } from './suppression.dto.js';
import type { SuppressionEntity } from './suppression.entity.js';
import type { SuppressionListDto } from './suppression-list.dto.js';
import type { SuppressionOrigin } from './suppression-origin.js';
import { type OperatorSpan, SuppressionsRepository, type WrittenSuppression } from './suppressions.repository.js';
import { LISTED } from './suppressions.sql.js';
import { suppressionsCsv } from './suppressions-export.js';
import { UndoSuppressionsDto } from './undo-suppressions.dto.js';
import type { UndoneSuppressionsDto } from './undone-suppressions.dto.js';

/** Entries that one transaction of an undo removes. */
const UNDO_STEP = 1_000;

/** Entries that an export reads at a time. */
const EXPORT_STEP = 500;

/** An address to suppress. */
export type NewSuppressedAddress = Given<AddSuppressionDto, 'email'>;

/** Addresses to suppress. */
export type NewSuppressedAddresses = Given<AddSuppressionsDto, 'emails'>;

/** Suppressions to remove: by addresses, or by ids. */
export type SuppressionsToRemove = Given<RemoveSuppressionsDto>;

/** Suppressions to take back. */
export type SuppressionsToUndo = Given<UndoSuppressionsDto, 'operator' | 'from' | 'to'>;

/**
 * The suppression lists of the accounts, by the rules of `/suppressions`. Methods resolve to undefined for an entry that
 * the account does not have. A value that breaks a rule is refused with an `ApiError`, an invalid account id with a
 * `TypeError`.
 *
 * @example
 * ```ts
 * const suppressions = app.get(SuppressionsService);
 * await suppressions.add('acme', { email: 'jane@example.com' });
 * await suppressions.remove('acme', 'jane@example.com');
 * ```
 */
@Injectable()
export class SuppressionsService {
  /** @internal Made by `feedback()`. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly suppressions: SuppressionsRepository,
    private readonly candidates: CandidatesRepository,
    @Optional() @Inject(ACTION_LOG) private readonly log?: ActionLog,
  ) {}

  /** The entry of this address: the one that is there, or a new one. No undo and no bad hour removes it any more. */
  async add(accountId: string, values: NewSuppressedAddress, caller?: Caller): Promise<AddedSuppressionDto> {
    checkAccountId(accountId);
    const { email } = readValues(values, AddSuppressionDto);
    const [written] = await this.put(accountId, [email], 'manual', 'suppression.create', caller);
    return added(written as WrittenSuppression);
  }

  /** The entries of these addresses, each once: those that are there, and new ones. All are added, or none. */
  async addAll(accountId: string, values: NewSuppressedAddresses, caller?: Caller): Promise<AddedSuppressionsDto> {
    checkAccountId(accountId);
    const { emails, origin = 'manual' } = readValues(values, AddSuppressionsDto);
    const written = await this.put(accountId, emails, origin, 'suppression.create', caller);
    return { data: written.map(added) };
  }

  /** The account's suppressions, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: ListSuppressionsQueryDto = {}): Promise<SuppressionListDto> {
    checkAccountId(accountId);
    const { origin, ...page } = readQuery(ListSuppressionsQueryDto, { ...query });
    const where = `${LISTED}${origin ? ` AND origin = '${origin}'` : ''}`;
    return toEnvelope(await this.suppressions.page(accountId, toPageRequest(page), { where }), listed);
  }

  /**
   * The account's suppressions as CSV, newest first, a page at a time: each page is as of its own moment. Resolves once the
   * first is read.
   */
  async export(accountId: string): Promise<Readable> {
    checkAccountId(accountId);
    const read = async (after?: string) => {
      const page = await this.suppressions.exportPage(accountId, after, EXPORT_STEP);
      return page.map((entry) => ({ ...listed(entry), seq: entry.seq }));
    };
    return Readable.from(suppressionsCsv(await read(), read, EXPORT_STEP));
  }

  /** The entry with this id, or of this address in any spelling. */
  async find(accountId: string, idOrEmail: string): Promise<SuppressionDto | undefined> {
    checkAccountId(accountId);
    const entry = await this.suppressions.find(accountId, await this.keyOf(idOrEmail));
    return entry && { object: 'suppression', ...listed(entry) };
  }

  /**
   * Takes an address off the list. A later bounce or complaint adds it again.
   *
   * @returns the id
   */
  async remove(accountId: string, idOrEmail: string, caller?: Caller): Promise<string | undefined> {
    checkAccountId(accountId);
    const key = await this.keyOf(idOrEmail);
    return this.suppressions.recorded(caller, 'suppression.delete', (manager) =>
      this.suppressions.remove(accountId, key, manager),
    );
  }

  /** Takes addresses off the list. @throws ApiError 422 when both addresses and ids are given, or none */
  async removeAll(accountId: string, values: SuppressionsToRemove, caller?: Caller): Promise<RemovedSuppressionsDto> {
    checkAccountId(accountId);
    const { emails, ids } = readValues(values, RemoveSuppressionsDto);
    if ((emails === undefined) === (ids === undefined)) throw ApiError.invalid('Give `emails` or `ids`, and not both.');
    const by = ids ? { ids } : { emailKeys: [...new Set((emails ?? []).map((email) => keyed(email).emailKey))] };
    const removed = await this.dataSource.transaction(async (manager) => {
      const found = await this.suppressions.removeAll(manager, accountId, by);
      await this.note(caller, 'suppression.delete', found, manager);
      return found;
    });
    return { data: removed.map((id) => ({ object: 'suppression', id, deleted: true })) };
  }

  /**
   * Removes what bounces at one operator added in a time, candidates of a bad hour included: its servers refused
   * addresses that exist. Large numbers are removed in steps.
   *
   * @throws ApiError 422 for a span of more than 7 days
   */
  async undo(accountId: string, values: SuppressionsToUndo, caller?: Caller): Promise<UndoneSuppressionsDto> {
    checkAccountId(accountId);
    const { operator, dry_run, ...given } = readValues(values, UndoSuppressionsDto);
    const [from, to] = [parseIsoTime(given.from) as string, parseIsoTime(given.to) as string];
    const length = Date.parse(to) - Date.parse(from);
    if (length <= 0 || length > FEEDBACK_LIMITS.undoSpan.max)
      throw ApiError.invalid('`to` must be after `from`, by 7 days at most.');
    const span = { operator, from, to };
    const shown = FEEDBACK_LIMITS.undoShown.max;
    const entries = await this.suppressions.ofOperator(accountId, span, shown);
    const candidates = await this.candidates.ofOperator(accountId, span, shown);
    const data = [...entries.first.map(listed), ...candidates.first.map(listedCandidate)].slice(0, shown);
    if (dry_run) return { removed: entries.count + candidates.count, data };
    // Candidates first: a bad hour that ends meanwhile makes them entries.
    const removedCandidates = await this.undoAll(accountId, span, this.candidates, caller);
    const removedEntries = await this.undoAll(accountId, span, this.suppressions, caller);
    return { removed: removedCandidates + removedEntries, data };
  }

  private async undoAll(
    accountId: string,
    span: OperatorSpan,
    from: Pick<SuppressionsRepository, 'removeOfOperator'>,
    caller: Caller | undefined,
  ): Promise<number> {
    let removed = 0;
    let found: number;
    // A step may find fewer than it asks for, and not be the last one: others remove some of them meanwhile.
    do {
      found = await this.dataSource.transaction(async (manager) => {
        const ids = await from.removeOfOperator(manager, accountId, span, UNDO_STEP);
        await this.note(caller, 'suppression.undo', ids, manager);
        return ids.length;
      });
      removed += found;
    } while (found > 0);
    return removed;
  }

  private async keyOf(idOrEmail: string): Promise<RowKey<SuppressionEntity>> {
    const id = asId(idOrEmail);
    if (id) return { ...id, ...this.suppressions.inForce() };
    const key = mailboxKey(idOrEmail);
    return key === undefined ? undefined : this.suppressions.keyOf(key);
  }

  private put(
    accountId: string,
    emails: readonly string[],
    origin: SuppressionOrigin,
    action: ActionName,
    caller: Caller | undefined,
  ): Promise<WrittenSuppression[]> {
    const byKey = new Map(emails.map((email) => [keyed(email).emailKey, keyed(email)]));
    const entries = [...byKey.values()].map((address) => ({ id: randomUUID(), ...address, origin }));
    return this.dataSource.transaction(async (manager) => {
      const written = await this.suppressions.put(manager, accountId, entries);
      const fresh = written.filter((entry) => entry.added).map(({ id }) => id);
      await this.note(caller, action, fresh, manager);
      return written;
    });
  }

  private async note(caller: Caller | undefined, action: ActionName, ids: readonly string[], manager: EntityManager) {
    if (caller && ids.length > 0) await this.log?.record(caller, { action, ids }, manager);
  }
}

function keyed(email: string): { emailKey: string; email: string } {
  const { address, envelope } = parseMailbox(email);
  return { emailKey: addressKey(envelope), email: address.toLowerCase() };
}

function added({ id }: Pick<WrittenSuppression, 'id'>): AddedSuppressionDto {
  return { object: 'suppression', id };
}

function listed(entry: SuppressionEntity): ListedSuppressionDto {
  const { id, email, origin, sourceId, createdText, reason, expiresAt } = entry;
  return {
    id,
    email: email ?? ERASED_ADDRESS,
    origin,
    source_id: sourceId,
    created_at: createdText,
    reason,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

function listedCandidate({ createdText, ...candidate }: ListedCandidate): ListedSuppressionDto {
  const { id, email, reason, sourceId } = candidate;
  return {
    id,
    email: email ?? ERASED_ADDRESS,
    origin: 'bounce',
    source_id: sourceId,
    created_at: createdText,
    reason,
    expires_at: null,
  };
}
