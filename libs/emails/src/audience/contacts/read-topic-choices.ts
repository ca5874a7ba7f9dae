import { ApiError } from '../../shared/errors/api-error.js';
import { DtoReader } from '../../shared/validation/dto-reader.js';
import { readEntries } from '../../shared/validation/read-fields.js';
import type { Repeated } from '../../shared/validation/repeated.js';
import { AUDIENCE_LIMITS } from '../limits.js';
import type { Subscription } from '../topics/subscription.js';
import { SetContactTopicsDto } from './set-contact-topics.dto.js';
import { TopicChoiceDto } from './topic-choice.dto.js';

/** A choice that was read. */
export interface KnownChoice {
  /** In lower case. */
  topicId: string;
  subscription: Subscription;
}

/**
 * The entries of the field `topics`, ids in lower case.
 *
 * @throws ApiError for the first entry that is invalid, or that repeats a topic
 */
export function readTopicChoices(entries: readonly unknown[]): KnownChoice[] {
  if (!Array.isArray(entries)) throw ApiError.invalid('`topics` must be an array of `{id, subscription}`.');
  return knownChoices(readEntries(entries, 'topics', TopicChoiceDto));
}

/** Checks entries that were read. @throws ApiError for too many, and for one that repeats a topic */
export function knownChoices(entries: readonly TopicChoiceDto[]): KnownChoice[] {
  if (entries.length > AUDIENCE_LIMITS.choices.max)
    throw ApiError.invalid(`\`topics\` takes up to ${AUDIENCE_LIMITS.choices.max} choices.`);
  const choices = new Map<string, KnownChoice>();
  for (const { id, subscription } of entries) {
    const topicId = id.toLowerCase();
    if (choices.has(topicId)) {
      throw ApiError.invalid(`\`topics[${choices.size}].id\` is in the list already. Name each topic once.`);
    }
    choices.set(topicId, { topicId, subscription });
  }
  return [...choices.values()];
}

/**
 * The list in a body that holds nothing but choices: `[{id, subscription}]`, which the official client sends, or
 * `{"topics": […]}`, which may name the contact as well.
 *
 * @throws ApiError for a body without a list
 */
export function topicChoicesOf(body: object): { topics: TopicChoiceDto[]; own: Repeated } {
  const { topics, ...own } = DtoReader.of(SetContactTopicsDto).read(Array.isArray(body) ? { topics: body } : body);
  return { topics, own };
}
