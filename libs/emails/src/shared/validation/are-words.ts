import { passes, ruleDecorator } from './rule.js';

/** A list of some of these words. */
export const AreWords = (words: readonly string[], wrong = `must be one or more of: ${words.join(', ')}`) =>
  ruleDecorator(
    'areWords',
    passes((value) => Array.isArray(value) && value.every((word) => words.includes(word)), wrong),
    { type: 'array', items: { enum: words } },
  );
