import { hasControl } from '../../text/text-rules.js';
import { rule } from './rule.js';

/** One line of text: no control characters, at most `max` characters. */
export const IsOneLine = (max: number) =>
  rule('isOneLine', (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (hasControl(value)) return 'must not contain control characters or line breaks';
    if ([...value].length > max) return `takes up to ${max} characters`;
    return undefined;
  });
