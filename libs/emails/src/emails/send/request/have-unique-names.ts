import { passes, ruleDecorator } from '../../../shared/validation/rule.js';

/** No two objects of a list have the same `name`. */
export const HaveUniqueNames = () => ruleDecorator('haveUniqueNames', passes(areUnique, 'must have unique names'));

function areUnique(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false;
  const names = entries.map((entry: { name?: unknown } | null) => entry?.name);
  return new Set(names).size === names.length;
}
