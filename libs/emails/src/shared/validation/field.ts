import type { Rule } from './rule.js';

/** A line of the table: what holds for one field of a body. */
export interface Field<T> {
  readonly rule: Rule<unknown>;
  readonly isRequired: boolean;
  /** An empty text is a value, instead of meaning "absent". */
  readonly keepsEmpty: boolean;
  /** A text stands for a list of it. */
  readonly listsOne: boolean;
  /** Other names that clients give it. */
  readonly spellings: readonly string[];
  /** Brings another form of the value into the one that is checked and kept. What it does not know, it gives back. */
  readonly reads?: (value: unknown) => unknown;
  /** What it is when absent. Default: undefined. */
  readonly whenAbsent?: () => T;
  /** For objects in it, which have tables of their own. */
  readonly inner?: Inner;
  /** Never there: it tells the compiler of `T`. */
  readonly kept?: T;
}

/** The two steps of reading, for what lies within a field. `path` is the field's. */
export interface Inner {
  take(value: unknown, path: string): unknown;
  check(taken: unknown, path: string): void;
}

export type FieldOptions = Partial<Pick<Field<unknown>, 'keepsEmpty' | 'listsOne' | 'spellings' | 'reads'>>;

export function required<T>(rule: Rule<T>, options?: FieldOptions): Field<T> {
  return { ...NO_OPTIONS, rule, isRequired: true, ...options };
}

/** Undefined when absent. */
export function optional<T>(rule: Rule<T>, options?: FieldOptions): Field<T | undefined> {
  return { ...NO_OPTIONS, rule, isRequired: false, ...options };
}

/** Has a value when absent, too. */
export function defaulting<T>(whenAbsent: () => T, rule: Rule<T>, options?: FieldOptions): Field<T> {
  return { ...NO_OPTIONS, rule, isRequired: false, whenAbsent, ...options };
}

const NO_OPTIONS = { keepsEmpty: false, listsOne: false, spellings: [] };
