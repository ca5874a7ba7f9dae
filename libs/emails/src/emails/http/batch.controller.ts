import { Controller, HttpCode, Post } from '@nestjs/common';
import { AllowSendingAccess } from '../../shared/callers/caller.guard.js';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { JsonBodyReader } from '../../shared/http/json-body.reader.js';
import {
  CurrentCaller,
  IdempotencyKey,
  parameter,
  RequestBody,
  RequestContext,
} from '../../shared/routes/parameters.js';
import { EMAIL_LIMITS } from '../limits.js';
import type { BatchDto } from '../send/batch/batch.dto.js';
import { BATCH_VALIDATIONS, BatchService, type BatchValidation } from '../send/batch/batch.service.js';

/** The `x-batch-validation` header. */
const Validation = () =>
  parameter('path', ({ request }): BatchValidation => {
    const mode = request.headers['x-batch-validation'] ?? 'strict';
    const validation = BATCH_VALIDATIONS.find((one) => one === mode);
    if (validation) return validation;
    throw ApiError.invalid('The `x-batch-validation` header must be `strict` or `permissive`.');
  });

/** Many emails at once (contract, section 2.5). */
@Controller('emails/batch')
export class BatchController {
  constructor(
    private readonly batches: BatchService,
    readonly bodies: JsonBodyReader,
  ) {}

  @Post()
  @HttpCode(200)
  @AllowSendingAccess()
  @NeedsRole('admin')
  async send(
    @RequestBody({ isBatch: true }) emails: unknown[],
    @CurrentCaller() caller: Caller,
    @Validation() validation: BatchValidation,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @RequestContext() context: RequestContext,
  ): Promise<BatchDto> {
    if (!Array.isArray(emails)) {
      throw ApiError.malformed(`The request body must be an array of 1 to ${EMAIL_LIMITS.batch.max} emails.`);
    }
    const { memory } = context;
    const options = { idempotencyKey, memory, key: caller };
    const { answer, replayed } = await this.batches.accept(caller.accountId, emails, validation, options);
    if (replayed) context.replayed();
    return answer;
  }
}
