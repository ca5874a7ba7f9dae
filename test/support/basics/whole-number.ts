/**
 * Reads the value of a command-line option. Undefined if the option is not given.
 *
 * @throws Error that names the option
 */
export function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} ${value}: must be a whole number.`);
  return Number(value);
}
