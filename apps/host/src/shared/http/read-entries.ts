import type { Type } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { BodyPipe } from './body.pipe.js';

const pipe = new BodyPipe();

/**
 * The entries of a list in a body, by the rules that hold for a body of its own.
 *
 * @param field name of the list, for messages: `topics` gives `topics[0].id`
 * @throws ApiError for the first entry that is wrong
 */
export async function readEntries<T extends object>(
  list: readonly unknown[],
  field: string,
  type: Type<T>,
): Promise<T[]> {
  const entries: T[] = [];
  for (const [index, entry] of list.entries()) {
    entries.push(await readEntry(entry, `${field}[${index}]`, type));
  }
  return entries;
}

async function readEntry<T extends object>(entry: unknown, path: string, metatype: Type<T>): Promise<T> {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw ApiError.invalid(`\`${path}\` must be an object.`);
  }
  try {
    return (await pipe.transform(entry, { type: 'body', metatype })) as T;
  } catch (error) {
    throw error instanceof ApiError ? within(path, error) : error;
  }
}

/** The first thing a message of `BodyPipe` quotes is the field. */
function within(path: string, { statusCode, name, message }: ApiError): ApiError {
  return new ApiError(
    statusCode,
    name,
    message.replace('`', () => `\`${path}.`),
  );
}
