import { ApiError } from '../../../shared/errors/api-error.js';
import { isDataError } from '../../../shared/errors/database-errors.js';
import { checkJson } from '../../../shared/json/json-rules.js';
import { DtoReader } from '../../../shared/validation/dto-reader.js';
import { within } from '../../../shared/validation/read-fields.js';
import { hashRequest } from '../idempotency/request-hash.js';
import { SendEmailDto } from '../request/send-email.dto.js';

/** One email of a batch: its request, or its refusal. */
export type BatchItem = { at: number; asked: unknown } & ({ request: SendEmailDto } | { refusal: ApiError });

/** By the rules of `POST /emails`. */
export function readItem(asked: unknown, at: number): BatchItem {
  try {
    if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) {
      throw ApiError.invalid('Each email must be an object.');
    }
    checkJson(asked);
    return { at, asked, request: DtoReader.of(SendEmailDto).read(asked) };
  } catch (error) {
    return { at, asked, refusal: refusalOf(error) };
  }
}

/**
 * Refusal of one email for this failure.
 *
 * @throws the failure when it concerns the whole request, or is a server error
 */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.statusCode < 500) return error;
  if (isDataError(error)) return ApiError.unstorable();
  throw error;
}

/** The refusal of a whole batch for one of its emails. */
export function refusalOfAll(refusal: ApiError, at: number): ApiError {
  return within(`[${at}]`, refusal);
}

/** Canonical form of the item: equal for two with the same meaning. */
export async function hashItem(item: BatchItem): Promise<string> {
  if ('request' in item) return hashRequest(item.request);
  try {
    return await hashRequest(item.asked);
  } catch {
    // The host's own code may pass a value that JSON cannot express.
    return item.refusal.message;
  }
}
