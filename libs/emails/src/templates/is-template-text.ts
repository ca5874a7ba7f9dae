import { ApiError } from '../shared/errors/api-error.js';
import { checkTemplate } from '../shared/text/template-text.js';
import { hasControl, isLongerThan } from '../shared/text/text-rules.js';
import { type Rule, ruleDecorator } from '../shared/validation/rule.js';

interface Limits {
  /** No line breaks or other control characters. */
  oneLine?: boolean;
  /** Default: none but that of the body. */
  maxCharacters?: number;
}

function templateText({ oneLine = false, maxCharacters = Number.POSITIVE_INFINITY }: Limits): Rule {
  return (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (oneLine && hasControl(value)) return 'must not contain line breaks or other control characters';
    return isLongerThan(value, maxCharacters) ? `takes up to ${maxCharacters} characters` : wrongPlaceholder(value);
  };
}

/** Text in which `{{KEY}}` and `{{{KEY}}}` stand for values. */
export const IsTemplateText = (limits: Limits = {}) =>
  ruleDecorator('isTemplateText', templateText(limits), {
    type: 'string',
    ...(limits.maxCharacters !== undefined && { maxLength: limits.maxCharacters }),
  });

function wrongPlaceholder(text: string): string | undefined {
  try {
    checkTemplate(text);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return `cannot be used as it is. ${error.message}`;
    throw error;
  }
}
