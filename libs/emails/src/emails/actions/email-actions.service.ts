import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { EMAIL_LIMITS } from '../limits.js';
import type { SenderKey } from '../ports/sender-policy.js';
import { filtersOf } from '../read/filter-object.js';
import { ListingService } from '../read/listing.service.js';
import { ACCEPTANCE_RULES, type AcceptanceRules } from '../send/acceptance.service.js';
import { checkKey } from '../send/idempotency/check-key.js';
import { hashRequest } from '../send/idempotency/request-hash.js';
import { newEmailId } from '../send/new-email-id.js';
import { type AnswerClaim, AnswerRepository, type AnswerStore } from '../storage/accept/answer.repository.js';
import { type EmailStore, EmailsRepository } from '../storage/accept/emails.repository.js';
import {
  ActionRepository,
  type ActionSelection,
  type ActionStore,
  type FoundAction,
} from '../storage/actions/action.repository.js';
import type { EmailActionDto } from './email-action.dto.js';
import { EmailActionWorker } from './email-action.worker.js';
import { type EmailAction, StartActionDto } from './start-action.dto.js';
import type { StartedActionDto } from './started-action.dto.js';

const ENDPOINT = '/emails/actions';

/** Options of a request for an action. */
export interface StartOptions {
  idempotencyKey?: string | undefined;
  /** For sender policies. Default: none. */
  key?: SenderKey | undefined;
  /** The caller who asked for it, to be recorded. Default: nothing is recorded. */
  caller?: Caller | undefined;
}

/** Accepts actions on many emails; workers carry them out. */
@Injectable()
export class EmailActionsService {
  constructor(
    @Inject(ActionRepository) private readonly actions: ActionStore,
    @Inject(AnswerRepository) private readonly answers: Pick<AnswerStore, 'findAnswer'>,
    @Inject(EmailsRepository) private readonly emails: Pick<EmailStore, 'findSeq'>,
    private readonly listing: ListingService,
    @Inject(ACCEPTANCE_RULES) private readonly rules: AcceptanceRules,
    @Optional() @Inject(EmailActionWorker) private readonly worker?: Pick<EmailActionWorker, 'wake'>,
  ) {}

  /**
   * Resolves once the action is committed, with all emails that it will act on.
   *
   * @throws ApiError 422 when a rule is broken or there are too many emails
   */
  async start(
    accountId: string,
    values: object,
    { idempotencyKey, key, caller }: StartOptions = {},
  ): Promise<{ action: StartedActionDto; replayed: boolean }> {
    const request = readValues(values, StartActionDto);
    const selection = selectionOf(request);
    const claim = await this.claim(request, idempotencyKey);
    for (;;) {
      const earlier = claim && (await this.answers.findAnswer(accountId, claim));
      if (earlier && earlier.requestHash !== claim.requestHash) throw ApiError.idempotencyConflict();
      if (earlier) return { action: earlier.answer as StartedActionDto, replayed: true };

      const action: StartedActionDto = { object: 'email_action', id: newEmailId() };
      const asked = {
        ...selection,
        id: action.id,
        accountId,
        action: request.action,
        apiKeyId: key?.apiKeyId ?? null,
        domainId: key?.domainId ?? null,
        beforeSeq: await this.firstTooLate(accountId, request.before),
        claim: claim && { ...claim, answer: action },
        caller,
      };
      const result = await this.listing.inTurn(accountId, () => this.actions.start(asked));
      if (result.kind === 'too many') throw tooMany(selection.limit, result.count);
      if (result.kind === 'started') {
        this.worker?.wake();
        return { action, replayed: false };
      }
      // A parallel request with the same key was first. If its key has expired since, this request is new again.
    }
  }

  /** Undefined: the account has no action with this id. */
  async find(accountId: string, id: string): Promise<EmailActionDto | undefined> {
    const found = isUuid(id) ? await this.actions.find(accountId, id.toLowerCase()) : undefined;
    return found && toDto(found);
  }

  private async claim(request: StartActionDto, key: string | undefined): Promise<AnswerClaim | null> {
    if (key === undefined) return null;
    checkKey(key);
    const requestHash = await hashRequest(request);
    return { endpoint: ENDPOINT, key, requestHash, retention: this.rules.idempotencyRetention };
  }

  private async firstTooLate(accountId: string, before: string | null | undefined): Promise<string | undefined> {
    if (!before) return undefined;
    const seq = await this.emails.findSeq(accountId, before);
    if (seq === undefined) throw ApiError.invalid('`before` must be the id of an email.');
    return String(BigInt(seq) + 1n);
  }
}

function selectionOf({ ids, filter, limit }: StartActionDto): ActionSelection {
  if (!ids === !filter) throw ApiError.invalid('Give `ids` or `filter`: one of them, and not both.');
  return {
    ids: ids ? [...new Set(ids.map((id) => id.toLowerCase()))] : undefined,
    filters: filter ? filtersOf(filter) : undefined,
    limit: limit ?? EMAIL_LIMITS.actionEmails.max,
  };
}

function tooMany(limit: number, count: number | undefined): ApiError {
  const found = count === undefined ? `More than ${limit}` : String(count);
  return ApiError.invalid(`${found} emails match, and \`limit\` is ${limit}. Nothing was done.`);
}

function toDto({ id, action, completed, createdAt, matched, done, refused }: FoundAction): EmailActionDto {
  return {
    object: 'email_action',
    id,
    action: action as EmailAction,
    status: completed ? 'completed' : 'running',
    created_at: createdAt,
    matched,
    done,
    refused,
  };
}
