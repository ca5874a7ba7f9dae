import { isUuid } from '../text/is-uuid.js';
import { isLongerThan } from '../text/text-rules.js';
import { thisServerHasNo } from '../text/this-server-has-no.js';
import { isLine } from './is-line.js';

/**
 * Says what is wrong with a value, in words that follow the name of its field: "must be …". They may begin with a place
 * in the value, which then extends the name: `[2] must be …`, `.size must be …`. Undefined: nothing is.
 *
 * @typeParam T what a value is that keeps the rule
 */
export interface Rule<T> {
  /** @param among the fields beside it, for a rule that depends on another one */
  (value: unknown, among: Readonly<Record<string, unknown>>): string | undefined;
  /** Never there: it tells the compiler of `T`. */
  readonly kept?: T;
}

/** Whatever passes the test. */
export const passes = <T>(test: (value: unknown) => value is T, wrong: string): Rule<T> => {
  return (value) => (test(value) ? undefined : wrong);
};

export const anything: Rule<unknown> = () => undefined;

export const text: Rule<string> = passes(isText, 'must be a string');

/** Up to `max` characters, line breaks allowed. */
export const textUpTo = (max: number, wrong = `must be a text of up to ${max} characters`): Rule<string> =>
  passes((value): value is string => isText(value) && !isLongerThan(value, max), wrong);

/** One line of 1 to `max` characters. */
export const line = (max: number): Rule<string> =>
  passes(
    (value): value is string => isLine(value, max),
    `must be one line of 1 to ${max} characters without control characters`,
  );

export const matching = (pattern: RegExp, wrong: string): Rule<string> =>
  passes((value): value is string => isText(value) && pattern.test(value), wrong);

export const oneOf = <const T extends string>(words: readonly T[], wrong: string): Rule<T> =>
  passes((value): value is T => words.some((word) => word === value), wrong);

/** Of any version (RFC 9562). */
export const uuid = (wrong: string): Rule<string> => passes((value): value is string => isUuid(value), wrong);

export const trueOrFalse: Rule<boolean> = passes(
  (value): value is boolean => typeof value === 'boolean',
  'must be true or false',
);

export const list = (wrong: string): Rule<unknown[]> =>
  passes((value): value is unknown[] => Array.isArray(value), wrong);

/** For a field that exists but cannot be changed: whatever is given is refused. */
export const fixed: Rule<unknown> = () => 'cannot be changed; leave it out';

/** For a field that Resend has and this server has no use for: whatever is given is refused. */
export const lacking =
  (what: string): Rule<unknown> =>
  () =>
    `must be left out. ${thisServerHasNo(what)}`;

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
