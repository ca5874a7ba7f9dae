import { isLongerThan } from '../../../shared/text/text-rules.js';
import type { Rule } from '../../../shared/validation/rule.js';

const MAX_VARIABLES = 50;
const MAX_CHARACTERS = 2_000;
const KEY = /^[A-Za-z0-9_]{1,50}$/;

/** The values for a template. */
export const templateVariables: Rule<Record<string, string | number>> = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const entries = Object.entries(value);
  if (entries.length > MAX_VARIABLES) return `takes up to ${MAX_VARIABLES} variables`;
  for (const [key, item] of entries) {
    if (!KEY.test(key)) return 'must have keys of 1 to 50 characters of `A-Z a-z 0-9 _`';
    if (typeof item !== 'string' && !Number.isFinite(item)) return `.${key} must be a string or a finite number`;
    if (typeof item === 'string' && isLongerThan(item, MAX_CHARACTERS)) {
      return `.${key} takes up to ${MAX_CHARACTERS} characters`;
    }
  }
  return undefined;
};
