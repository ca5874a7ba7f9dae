import { ApiError } from '../shared/errors/api-error.js';
import { readEntries } from '../shared/validation/read-fields.js';
import { templateVariable } from './template.fields.js';

const MAX_VARIABLES = 50;

/** A variable that is declared. */
export interface TemplateVariable {
  /** 1 to 50 letters, digits and underscores. */
  key: string;
  type: 'string' | 'number';
  /** Default: null, and every email must give a value. */
  fallback_value?: string | number | null | undefined;
}

/** A variable as it is stored. */
export interface KnownVariable {
  key: string;
  type: 'string' | 'number';
  /** Null: every email must give a value. */
  fallback_value: string | number | null;
}

/** A variable in an answer. */
export interface TemplateVariableRecord extends KnownVariable {
  /** Of this key in this template, for good. */
  id: string;
  /** Those of the template, with which its variables are declared. */
  created_at: string;
  updated_at: string;
}

/** @throws ApiError for the first entry that is wrong, or whose key is in the list already */
export function readTemplateVariables(entries: readonly unknown[]): KnownVariable[] {
  if (entries.length > MAX_VARIABLES) {
    throw ApiError.invalid(`\`variables\` takes up to ${MAX_VARIABLES} variables.`);
  }
  const variables = new Map<string, KnownVariable>();
  for (const { key, type, fallback_value = null } of readEntries(entries, 'variables', templateVariable)) {
    if (variables.has(key)) {
      throw ApiError.invalid(`\`variables[${variables.size}].key\` is in the list already. Name each variable once.`);
    }
    variables.set(key, { key, type, fallback_value });
  }
  return [...variables.values()];
}
