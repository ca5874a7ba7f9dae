import { gotten, type Rule } from './rules.js';

/** The longest timer of Node, in milliseconds: a little under 25 days. A longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export const whole = (min: number, max: number): Rule => wholeNumber(min, max, '');
export const milliseconds = (min: number, max: number): Rule => wholeNumber(min, max, ' of milliseconds');
export const bytes = (min: number, max: number): Rule => wholeNumber(min, max, ' of bytes');

/** @param unit follows "whole number", such as ` of milliseconds` */
function wholeNumber(min: number, max: number, unit: string): Rule {
  return (path, value) => {
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return [];
    const got = typeof value === 'number' ? String(value) : gotten(value);
    return [`\`${path}\` must be a whole number${unit} from ${min} to ${max} (got ${got}).`];
  };
}

type Leaf = readonly unknown[] | ((...args: never[]) => unknown) | string | boolean;

/** The paths of all numbers, and lists of numbers, in a type of options: `lease`, `delivery.lease`. */
export type NumberPath<T> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends number | readonly number[]
    ? K
    : NonNullable<T[K]> extends Leaf
      ? never
      : `${K}.${NumberPath<NonNullable<T[K]>>}`;
}[keyof T & string];
