import type { Limits } from '../shared/limits.js';

/** Limits of domains. */
export const DOMAIN_LIMITS = {
  domains: { of: 'domains of an account', max: 1_000, unit: 'in number' },
  keys: { of: 'DKIM keys of a domain, with those of the last 7 days', max: 8, unit: 'in number' },
  pairs: { of: 'DKIM keys of an account that are being made', max: 20, unit: 'at once', beyond: '503' },
  lock: { of: 'wait for a locked domain', max: 2_000, unit: 'milliseconds', beyond: '503' },
  checkTime: {
    of: 'the lookups of one check of a domain',
    max: 20_000,
    unit: 'milliseconds',
    beyond: 'they count as not answered',
  },
  checks: {
    of: 'checks of domains in a process: those asked for, half of them of one account, and as many that are due',
    max: 8,
    unit: 'at once',
    beyond: 'waits',
  },
  checkPace: {
    of: 'checks of one domain on request: the pause between two',
    max: 2_000,
    unit: 'milliseconds',
    beyond: 'waits',
  },
} satisfies Limits;
