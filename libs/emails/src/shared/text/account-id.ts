import { isLongerThan, isWellFormed } from './text-rules.js';

const MAX_LENGTH = 255;

/** @throws TypeError when this is not the id of an account */
export function checkAccountId(id: unknown): void {
  const wrong = wrongAccountId(id);
  if (wrong !== undefined) throw new TypeError(`The account id ${wrong}.`);
}

/**
 * Problem of an account's id, written to follow "The account id"; undefined for a valid one. It never contains the id.
 * Text without a UTF-8 form or with a NUL could not be stored unchanged.
 */
export function wrongAccountId(id: unknown): string | undefined {
  if (typeof id !== 'string') return 'must be a string';
  if (id === '' || isLongerThan(id, MAX_LENGTH)) return `must have between 1 and ${MAX_LENGTH} characters`;
  if (id.includes('\0') || !isWellFormed(id)) return 'must be well-formed Unicode without NUL';
  return undefined;
}
