/**
 * A refusal of one field.
 *
 * @param path of the field
 * @param wrong message of a rule, which may start with a path within the field
 */
export function sentence(path: string, wrong: string): string {
  const within = /^(\[\d+\]|\.\S+)/.exec(wrong)?.[0] ?? '';
  const rest = wrong.slice(within.length).trim();
  return `\`${path}${within}\` ${rest}${rest.endsWith('.') ? '' : '.'}`;
}

/** The message of a stock decorator of class-validator. @param wrong in the words of a rule */
export const says = (wrong: string) => ({ message: sentence('$property', wrong) });

/** The refusal of a body without a required field. */
export const missing = (path: string) => `Missing \`${path}\` field.`;
