import { ApiError } from '../errors/api-error.js';
import { checkJson } from '../json/json-rules.js';
import type { Fields } from './fields.js';

/** A change of a `T`: null clears a field, undefined leaves it as it is. */
export type Changes<T> = { [Name in keyof T]: undefined extends T[Name] ? T[Name] | null : T[Name] };

/**
 * Values that came with a request or from the host's own code, which may hold what no JSON can.
 *
 * @throws ApiError for the first rule that is broken
 */
export function readValues<T extends object>(values: object, fields: Fields<T>): T {
  if (typeof values !== 'object' || values === null) throw ApiError.invalid('An object of fields is needed.');
  checkJson(values);
  return fields.read(values);
}

/**
 * Like `readValues`, for a change of what exists: null clears a field, and what is empty otherwise leaves it as it is, also
 * a text that may be empty on creation. Some clients send empty texts for whatever their caller did not name.
 *
 * @throws ApiError for the first rule that is broken
 */
export function readChanges<T extends object>(values: object, fields: Fields<T>): Changes<T> {
  const read = readValues(values, fields);
  const empty = Object.entries(values).filter(([, value]) => value === null || value === '');
  const cleared = empty.map(([name, value]) => [name, value === null ? null : undefined]);
  return { ...read, ...Object.fromEntries(cleared) } as Changes<T>;
}

/**
 * The entries of a list in a body, by the rules that hold for a body of its own.
 *
 * @param field name of the list, for messages: `topics` gives `topics[0].id`
 * @throws ApiError for the first entry that is wrong
 */
export function readEntries<T extends object>(list: readonly unknown[], field: string, fields: Fields<T>): T[] {
  return Array.from(list, (entry, at) => readEntry(entry, `${field}[${at}]`, fields));
}

function readEntry<T extends object>(entry: unknown, path: string, fields: Fields<T>): T {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw ApiError.invalid(`\`${path}\` must be an object.`);
  }
  try {
    return fields.read(entry);
  } catch (error) {
    throw error instanceof ApiError ? within(path, error) : error;
  }
}

/**
 * A refusal by `Fields.read`, or another, of what is only a part of a body.
 *
 * @param path where that is
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
