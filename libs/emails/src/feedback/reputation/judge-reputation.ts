import { LEAST_REFUSALS } from '../bad-hours/judge-hour.js';
import type { AccountReputation, ReputationRates, ReputationVerdict } from './reputation-rates.js';

/** Recipients of an account from which its rates count. */
const COUNTED_FROM = 500;

/** Limits of the rates: bounces, complaints. Large providers ask senders to stay below them. */
const WARN = { bounces: 0.02, complaints: 0.001 };
const HOLD = { bounces: 0.05, complaints: 0.003 };

/**
 * `warn`: an alarm at 2 % bounces or 0.1 % complaints. `hold`: the account's emails are held at 5 % or 0.3 % as well. A
 * function decides by itself.
 */
export type OnReputation = 'warn' | 'hold' | ((reputation: AccountReputation) => ReputationVerdict);

/**
 * Decides what follows from the rates of an account.
 *
 * @param isBadHourSuspected a bad hour of an operator may be at its begin: no hold for fewer bounces than it needs
 * @throws Error when the host's function fails, or returns another value
 */
export function judgeReputation(
  reputation: AccountReputation,
  rule: OnReputation,
  isBadHourSuspected = false,
): ReputationVerdict {
  const { recent, longer } = reputation;
  if (recent.recipients < COUNTED_FROM) return 'nothing';
  if (typeof rule === 'function') return checked(rule(reputation));
  const reaches = (limits: typeof WARN, least = 0) =>
    [recent, longer].some(
      ({ bounces, bounceRate, complaintRate }) =>
        (bounces >= least && bounceRate >= limits.bounces) || complaintRate >= limits.complaints,
    );
  if (rule === 'hold' && reaches(HOLD, isBadHourSuspected ? LEAST_REFUSALS : 0)) return 'hold';
  return reaches(WARN) ? 'warn' : 'nothing';
}

/** The rates in a sentence. */
export function sentenceOf({ recent, longer }: AccountReputation): string {
  const over = (rates: ReputationRates) =>
    `of its last ${rates.recipients.toLocaleString('en')} recipients ${percent(rates.bounceRate)} bounced and ` +
    `${percent(rates.complaintRate)} complained`;
  const text = longer.recipients > recent.recipients ? `${over(recent)}, ${over(longer)}` : over(recent);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function checked(verdict: ReputationVerdict): ReputationVerdict {
  if (['nothing', 'warn', 'hold'].includes(verdict)) return verdict;
  throw new TypeError('`onReputation` must return `nothing`, `warn` or `hold`.');
}

const percent = (rate: number) => `${(rate * 100).toFixed(2)} %`;
