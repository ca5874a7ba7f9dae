import { ApiError } from '../../shared/errors/api-error.js';
import { PageQueryDto } from '../../shared/http/page-query.dto.js';
import { queryOf } from '../../shared/http/query.js';
import { DtoReader } from '../../shared/validation/dto-reader.js';
import { isObject } from '../../shared/validation/field.js';
import { within } from '../../shared/validation/read-fields.js';
import { type Rule, ruleDecorator } from '../../shared/validation/rule.js';
import type { EmailFilters } from '../storage/accept/emails.repository.js';
import { toEmailFilters } from './email-filters.js';
import { ListEmailsQueryDto } from './list-emails-query.dto.js';

/** The filters of `GET /emails` by their names, each a text or several. */
export type EmailFilterObject = Readonly<Record<string, string | readonly string[]>>;

/** Names in the query of `GET /emails`, except those of its page. */
export const EMAIL_FILTERS = DtoReader.of(ListEmailsQueryDto)
  .fields.map(({ name }) => name)
  .filter((name) => !DtoReader.of(PageQueryDto).fields.some((field) => field.name === name));

const filterObject: Rule = (value) => {
  if (!isObject(value)) return 'must be an object with the filters of `GET /emails`';
  for (const [name, given] of Object.entries(value)) {
    if (!EMAIL_FILTERS.includes(name)) return `has no filter of this name: ${JSON.stringify(name)}`;
    const texts: unknown[] = [given].flat();
    if (texts.length === 0 || !texts.every((text) => typeof text === 'string')) {
      return `.${name} must be a string, or an array of strings`;
    }
  }
  return undefined;
};

/** An `EmailFilterObject`. Its values are checked by `filtersOf`. */
export const IsEmailFilter = () =>
  ruleDecorator('isEmailFilter', filterObject, {
    type: 'object',
    properties: Object.fromEntries(
      EMAIL_FILTERS.map((name) => [
        name,
        { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] },
      ]),
    ),
    additionalProperties: false,
  });

/**
 * The filters of such an object, with the meaning that they have in the URL of `GET /emails`. Undefined: all emails.
 *
 * @throws ApiError 422
 */
export function filtersOf(object: EmailFilterObject): EmailFilters | undefined {
  const parameters = new URLSearchParams();
  for (const [name, given] of Object.entries(object)) {
    for (const text of [given].flat()) parameters.append(name, String(text));
  }
  try {
    return toEmailFilters(queryOf(ListEmailsQueryDto, `?${parameters}`));
  } catch (error) {
    throw error instanceof ApiError ? within('filter', error) : error;
  }
}
