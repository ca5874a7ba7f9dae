import { readChanges, readValues } from '../shared/validation/read-fields.js';
import { readTemplateVariables } from './read-template-variables.js';
import { newTemplate, templateChanges } from './template.fields.js';

/** What a creation says. @throws ApiError for the first rule that is broken */
export function readNewTemplate(values: object) {
  const { variables, ...template } = readValues(values, newTemplate);
  return { ...template, variables: variables && readTemplateVariables(variables) };
}

/** What a change says. @throws ApiError for the first rule that is broken */
export function readTemplateChanges(values: object) {
  const { variables, ...changes } = readChanges(values, templateChanges);
  return { ...changes, variables: variables && readTemplateVariables(variables) };
}
