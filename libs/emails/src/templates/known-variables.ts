import { ApiError } from '../shared/errors/api-error.js';
import type { TemplateVariableDto } from './template-variable.dto.js';

/** A variable as it is stored. */
export interface KnownVariable {
  key: string;
  type: 'string' | 'number';
  /** Null: every email must give a value. */
  fallback_value: string | number | null;
}

/** @throws ApiError for the first entry whose key is in the list already */
export function knownVariables(entries: readonly TemplateVariableDto[]): KnownVariable[] {
  const variables = new Map<string, KnownVariable>();
  for (const { key, type, fallback_value = null } of entries) {
    if (variables.has(key)) {
      throw ApiError.invalid(`\`variables[${variables.size}].key\` is in the list already. Name each variable once.`);
    }
    variables.set(key, { key, type, fallback_value });
  }
  return [...variables.values()];
}
