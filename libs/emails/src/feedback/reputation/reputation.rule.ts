import { oneOf, type Rule } from '../../shared/options/rules.js';

const choice = oneOf('warn', 'hold', 'a function of the rates');

/** Rule of `onReputation`. */
export const reputationRule: Rule = (path, value) =>
  typeof value === 'function' ? [] : choice(path, value === 'a function of the rates' ? undefined : value);
