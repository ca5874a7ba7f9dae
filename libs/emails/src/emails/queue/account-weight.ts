import { Logger } from '@nestjs/common';

/** Bounds of a weight: with others the turns of accounts would outgrow the precision of a number. */
const LEAST = 0.001;
const MOST = 1_000;

/** The host's function for the weight of an account, made safe: an account without a valid one has 1. */
export function accountWeight(
  weightOf: ((accountId: string) => number) | undefined,
): ((accountId: string) => number) | undefined {
  if (!weightOf) return undefined;
  let hasWarned = false;
  const warn = () => {
    if (!hasWarned)
      new Logger('EmailsModule').warn('`delivery.accountWeight` must return a number above 0. It counts as 1.');
    hasWarned = true;
    return 1;
  };
  return (accountId) => {
    try {
      const weight: unknown = weightOf(accountId);
      return typeof weight === 'number' && Number.isFinite(weight) && weight > 0
        ? Math.min(Math.max(weight, LEAST), MOST)
        : warn();
    } catch {
      return warn();
    }
  };
}
