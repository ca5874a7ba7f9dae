import type { Type } from '@nestjs/common';
import { type ValidationError, validate } from 'class-validator';
import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../text/did-you-mean.js';

/**
 * A JSON body as its DTO. Empty values mean "absent" (contract, section 1). Messages of constraints are written to
 * follow the name of the field: "must be …". Asked by handlers instead of being a pipe, because a host's global pipes
 * come before those of a handler, and may change a body.
 *
 * @throws ApiError for the first of: a field that is unknown, one that is missing, one that is wrong
 */
export async function readFields<Dto extends object>(body: object, type: Type<Dto>): Promise<Dto> {
  const dto = new type();
  fill(dto, body);
  const errors = await validate(dto, { stopAtFirstError: true, forbidUnknownValues: false });
  const error = errors.find(({ value }) => value === undefined) ?? errors[0];
  if (error) throw refusalOf(error);
  return dto;
}

/**
 * Like `readFields`, but tells a field that was emptied from one that was not named: the former is null, the latter
 * undefined. The official client empties a field by null.
 */
export async function readChanges<Dto extends object>(body: object, type: Type<Dto>): Promise<Dto> {
  const dto = await readFields(body, type);
  const emptied = Object.entries(body).filter(([field]) => dto[field as keyof Dto] === undefined);
  return Object.assign(dto, Object.fromEntries(emptied.map(([field]) => [field, null])));
}

/**
 * The entries of a list in a body, by the rules that hold for a body of its own.
 *
 * @param field name of the list, for messages: `topics` gives `topics[0].id`
 * @throws ApiError for the first entry that is wrong
 */
export async function readEntries<Dto extends object>(
  list: readonly unknown[],
  field: string,
  type: Type<Dto>,
): Promise<Dto[]> {
  const entries: Dto[] = [];
  for (const [index, entry] of list.entries()) entries.push(await readEntry(entry, `${field}[${index}]`, type));
  return entries;
}

async function readEntry<Dto extends object>(entry: unknown, path: string, type: Type<Dto>): Promise<Dto> {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw ApiError.invalid(`\`${path}\` must be an object.`);
  }
  try {
    return await readFields(entry, type);
  } catch (error) {
    throw error instanceof ApiError ? within(path, error) : error;
  }
}

/** The first thing a message of `readFields` quotes is the field. */
function within(path: string, { statusCode, name, message }: ApiError): ApiError {
  return new ApiError(
    statusCode,
    name,
    message.replace('`', () => `\`${path}.`),
  );
}

function fill(dto: object, body: object): void {
  const known = Object.keys(dto);
  for (const [field, value] of Object.entries(body)) {
    if (!known.includes(field)) throw unknownField(field, known);
    if (!isEmpty(value)) Object.assign(dto, { [field]: value });
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

function refusalOf({ property, value, constraints }: ValidationError): ApiError {
  const [text = 'is wrong'] = Object.values(constraints ?? {});
  return value === undefined ? ApiError.missingField(property) : ApiError.invalid(`\`${property}\` ${text}.`);
}

function unknownField(field: string, known: readonly string[]): ApiError {
  const meant = didYouMean(field, known);
  return ApiError.invalid(
    `\`${field.slice(0, 50)}\` is not a field. ${meant === undefined ? 'Leave it out.' : `Did you mean \`${meant}\`?`}`,
  );
}
