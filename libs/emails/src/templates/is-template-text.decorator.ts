import { ValidateBy } from 'class-validator';
import { checkTemplate } from '../index.js';
import { ApiError } from '../shared/errors/api-error.js';

const CONTROL = /\p{Cc}/u;

interface Limits {
  /** No line breaks or other control characters. */
  oneLine?: boolean;
  /** Default: none but that of the body. */
  maxCharacters?: number;
}

/** Text in which `{{KEY}}` and `{{{KEY}}}` stand for values. */
export const IsTemplateText = (limits: Limits = {}): PropertyDecorator =>
  ValidateBy({
    name: 'isTemplateText',
    validator: {
      validate: (value) => wrongText(value, limits) === undefined,
      defaultMessage: (args) => wrongText(args?.value, limits) ?? '',
    },
  });

function wrongText(value: unknown, { oneLine = false, maxCharacters = Number.POSITIVE_INFINITY }: Limits) {
  if (typeof value !== 'string') {
    return 'must be a string';
  }
  if (oneLine && CONTROL.test(value)) {
    return 'must not contain line breaks or other control characters';
  }
  return [...value].length > maxCharacters ? `takes up to ${maxCharacters} characters` : wrongPlaceholder(value);
}

function wrongPlaceholder(text: string): string | undefined {
  try {
    checkTemplate(text);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) {
      return `cannot be used as it is. ${error.message.replace(/\.$/, '')}`;
    }
    throw error;
  }
}
