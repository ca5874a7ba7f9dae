import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ApiError } from '../../../shared/errors/api-error.js';
import { inTime } from '../../../shared/work/in-time.js';
import { AUDIENCE_LIMITS } from '../../limits.js';
import { type FormFields, formFields } from './form-fields.js';

const LIMIT = AUDIENCE_LIMITS.unsubscribeBody.max;
/** Time for a body of at most 4 kB. Milliseconds. */
const PATIENCE = 10_000;

/** Reads a small form. @throws ApiError 413 above 4 kB, 400 when it ends early, comes too slowly or cannot be parsed, 415 for another type */
export async function readForm(request: IncomingMessage): Promise<FormFields> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers;
  if (encoding.toLowerCase() !== 'identity') {
    throw new ApiError(415, 'validation_error', 'The request body must not be compressed.');
  }
  if (Number(length ?? 0) > LIMIT) throw ApiError.tooLarge(LIMIT);
  const body = await inTime(getRawBody(request, { limit: LIMIT }).catch(refuseBody), PATIENCE, () => {
    throw ApiError.malformed('The request body came too slowly.');
  });
  return formFields(body, type);
}

function refuseBody(error: { type?: unknown }): never {
  if (error.type === 'entity.too.large') throw ApiError.tooLarge(LIMIT);
  throw ApiError.malformed('The request body ended early or does not have the length it announced.');
}
