import { ApiError } from '../errors/api-error.js';
import { checkJson } from '../json/json-rules.js';
import type { Dto } from './dto-fields.js';
import { DtoReader } from './dto-reader.js';

/**
 * Reads values of a request or of the host's own code, which may be impossible in JSON.
 *
 * @throws ApiError for the first rule that is broken
 */
export function readValues<T extends object>(values: object, dto: Dto<T>): T {
  if (typeof values !== 'object' || values === null) throw ApiError.invalid('An object of fields is needed.');
  checkJson(values);
  return DtoReader.of(dto).read(values);
}

/**
 * The entries of a list in a body, by the rules of a whole body.
 *
 * @param field name of the list, for messages: `topics` gives `topics[0].id`
 * @throws ApiError for the first invalid entry
 */
export function readEntries<T extends object>(list: readonly unknown[], field: string, dto: Dto<T>): T[] {
  return Array.from(list, (entry, at) => readEntry(entry, `${field}[${at}]`, dto));
}

function readEntry<T extends object>(entry: unknown, path: string, dto: Dto<T>): T {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw ApiError.invalid(`\`${path}\` must be an object.`);
  }
  try {
    return DtoReader.of(dto).read(entry);
  } catch (error) {
    throw error instanceof ApiError ? within(path, error) : error;
  }
}

/**
 * A refusal of a part of a body.
 *
 * @param path path of the part
 */
export function within(path: string, { statusCode, name, message, headers }: ApiError): ApiError {
  const isOfField = /^(Missing )?`/.test(message);
  return new ApiError(
    statusCode,
    name,
    isOfField ? message.replace('`', () => `\`${path}.`) : `\`${path}\`: ${message}`,
    headers,
  );
}
