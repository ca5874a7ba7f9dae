import { ApiError } from '../../../shared/errors/api-error.js';
import { isDataError } from '../../../shared/errors/database-errors.js';
import { checkJson } from '../../../shared/json/json-rules.js';
import { within } from '../../../shared/validation/read-fields.js';
import { hashRequest } from '../idempotency/request-hash.js';
import { emailFields } from '../request/email-fields.js';
import type { EmailRequest } from '../request/email-request.js';

/** One of the emails of a batch: what is asked for, or why not. */
export type BatchItem = { at: number; asked: unknown } & ({ request: EmailRequest } | { refusal: ApiError });

/** By the rules of `POST /emails`. */
export function readItem(asked: unknown, at: number): BatchItem {
  try {
    if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) {
      throw ApiError.invalid('Each email must be an object.');
    }
    checkJson(asked);
    return { at, asked, request: emailFields.read(asked) };
  } catch (error) {
    return { at, asked, refusal: refusalOf(error) };
  }
}

/** What a failure says against one email. @throws what is against the whole request, or a failure of ours */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.statusCode < 500) return error;
  if (isDataError(error)) return ApiError.unstorable();
  throw error;
}

/** The refusal of a whole batch for one of its emails. */
export function refusalOfAll(refusal: ApiError, at: number): ApiError {
  return within(`[${at}]`, refusal);
}

/** What the item means: equal of two that mean the same. */
export async function hashItem(item: BatchItem): Promise<string> {
  if ('request' in item) return hashRequest(item.request);
  try {
    return await hashRequest(item.asked);
  } catch {
    // What the host's own code gives may be nothing that JSON can say.
    return item.refusal.message;
  }
}
