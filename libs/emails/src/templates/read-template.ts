import type { Fields } from '../shared/validation/fields.js';
import { readChanges } from '../shared/validation/read-fields.js';
import { readTemplateVariables } from './read-template-variables.js';

/**
 * What a creation or a change says: what is emptied on creation is as good as not named.
 *
 * @throws ApiError for the first rule that is broken
 */
export function readTemplate<T extends { variables: unknown[] | undefined }>(values: object, fields: Fields<T>) {
  const { variables, ...template } = readChanges(values, fields);
  return { ...template, variables: variables && readTemplateVariables(variables) };
}
