import { readValues } from '../shared/validation/read-fields.js';
import { CreateTemplateDto } from './create-template.dto.js';
import { knownVariables } from './known-variables.js';
import { UpdateTemplateDto } from './update-template.dto.js';

/** Reads a creation. @throws ApiError for the first rule that is broken */
export function readNewTemplate(values: object) {
  const { variables, ...template } = readValues(values, CreateTemplateDto);
  return { ...template, variables: variables && knownVariables(variables) };
}

/** Reads a change. @throws ApiError for the first rule that is broken */
export function readTemplateChanges(values: object) {
  const { variables, ...changes } = readValues(values, UpdateTemplateDto);
  return { ...changes, variables: variables && knownVariables(variables) };
}
