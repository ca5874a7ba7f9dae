/** What a numeric option, or each entry of a list of them, may be: a whole number from `min` to `max`. */
export interface NumberRule {
  min: number;
  max: number;
  /** Named after "whole number", such as ` of milliseconds`. */
  unit: string;
}

/** The longest timer of Node, in milliseconds: a little under 25 days. What is longer fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export const whole = (min: number, max: number): NumberRule => ({ min, max, unit: '' });
export const milliseconds = (min: number, max: number): NumberRule => ({ min, max, unit: ' of milliseconds' });
export const bytes = (min: number, max: number): NumberRule => ({ min, max, unit: ' of bytes' });

type Leaf = readonly unknown[] | ((...args: never[]) => unknown) | string | boolean;

/** The paths of all numbers, and lists of numbers, in a type of options: `lease`, `delivery.lease`. */
export type NumberPath<T> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends number | readonly number[]
    ? K
    : NonNullable<T[K]> extends Leaf
      ? never
      : `${K}.${NumberPath<NonNullable<T[K]>>}`;
}[keyof T & string];

/**
 * Holds options to their rules. An option that is absent has its default.
 *
 * @param owner whose options they are, for the message
 * @throws Error that names every option that is wrong and says what would be right
 */
export function checkNumbers(owner: string, rules: Readonly<Record<string, NumberRule>>, options: object): void {
  const problems = Object.entries(rules).flatMap(([path, rule]) => problemsOf(path, rule, valueAt(options, path)));
  if (problems.length > 0) throw new Error(`${owner}: ${problems.join(' ')}`);
}

function problemsOf(path: string, rule: NumberRule, value: unknown): string[] {
  if (Array.isArray(value)) {
    // A hole in a list is no entry that could have a default.
    const entries = Array.from<unknown>(value).map((entry) => entry ?? Number.NaN);
    return entries.flatMap((entry, at) => problemsOf(`${path}[${at}]`, rule, entry));
  }
  if (value === undefined || value === null) return [];
  const { min, max, unit } = rule;
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return [];
  const got = typeof value === 'number' ? String(value) : `a ${typeof value}`;
  return [`\`${path}\` must be a whole number${unit} from ${min} to ${max} (got ${got}).`];
}

function valueAt(options: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], options);
}
