import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { AllowSendingAccess } from '../../shared/callers/caller.guard.js';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { JsonBodyReader } from '../../shared/http/json-body.reader.js';
import {
  BATCH_VALIDATIONS,
  type BatchAnswer,
  BatchService,
  type BatchValidation,
  MAX_EMAILS,
} from '../send/batch/batch.service.js';

/** Many emails at once (contract, section 2.5). */
@Controller('emails/batch')
export class BatchController {
  constructor(
    private readonly batches: BatchService,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Post()
  @HttpCode(200)
  @AllowSendingAccess()
  async send(request: IncomingMessage, response: ServerResponse): Promise<BatchAnswer> {
    const validation = validationOf(request);
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    const { body, memory } = await this.bodies.read(request, { isBatch: true });
    try {
      if (!Array.isArray(body)) {
        throw ApiError.malformed(`The request body must be an array of 1 to ${MAX_EMAILS} emails.`);
      }
      const account = accountOf(request);
      const { answer, replayed } = await this.batches.accept(account, body, validation, { idempotencyKey, memory });
      if (replayed) response.setHeader('idempotent-replayed', 'true');
      return answer;
    } finally {
      memory?.close();
    }
  }
}

function validationOf({ headers }: IncomingMessage): BatchValidation {
  const said = headers['x-batch-validation'] ?? 'strict';
  const validation = BATCH_VALIDATIONS.find((one) => one === said);
  if (validation) return validation;
  throw ApiError.invalid('The `x-batch-validation` header must be `strict` or `permissive`.');
}
