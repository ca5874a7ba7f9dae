import { rule } from './rule.js';

/** No two entries with the same `name`. */
export const UniqueNames = () =>
  rule('uniqueNames', (value) => {
    if (!Array.isArray(value)) return undefined;
    const names = value.map((item: { name?: unknown } | null) => item?.name);
    return new Set(names).size === names.length ? undefined : 'must have unique names';
  });
