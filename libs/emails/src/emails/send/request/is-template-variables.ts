import { LIMITS } from '../../../shared/limits.js';
import { isLongerThan } from '../../../shared/text/text-rules.js';
import { type Rule, ruleDecorator } from '../../../shared/validation/rule.js';

const KEY = new RegExp(`^[A-Za-z0-9_]{1,${LIMITS.variableName.max}}$`);

const templateVariables: Rule = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const entries = Object.entries(value);
  if (entries.length > LIMITS.variables.max) return `takes up to ${LIMITS.variables.max} variables`;
  for (const [key, item] of entries) {
    if (!KEY.test(key)) return `must have keys of 1 to ${LIMITS.variableName.max} characters of \`A-Z a-z 0-9 _\``;
    if (typeof item !== 'string' && !Number.isFinite(item)) return `.${key} must be a string or a finite number`;
    if (typeof item === 'string' && isLongerThan(item, LIMITS.variableText.max)) {
      return `.${key} takes up to ${LIMITS.variableText.max} characters`;
    }
  }
  return undefined;
};

/** The values for a template, by the names of its variables. */
export const IsTemplateVariables = () =>
  ruleDecorator('isTemplateVariables', templateVariables, {
    type: 'object',
    additionalProperties: { type: ['string', 'number'] },
    maxProperties: LIMITS.variables.max,
  });
