import type { Limits } from '../shared/limits.js';

/** Limits of accounts and API keys. */
export const ACCESS_LIMITS = {
  apiKeyName: { of: 'the name of an API key', max: 50, unit: 'characters' },
  accountName: { of: 'the name of an account', max: 100, unit: 'characters' },
  unknownKeys: {
    of: 'unknown keys of one address (an IPv6 /64)',
    max: 100,
    unit: 'times a minute',
    beyond: '429 for further unknown ones',
  },
} satisfies Limits;
