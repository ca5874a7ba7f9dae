import type { Limits } from '../shared/limits.js';

/** Limits of webhooks. */
export const WEBHOOK_LIMITS = {
  webhooks: { of: 'webhooks of an account', max: 10, unit: 'in number' },
  replays: { of: 'pending replays of one event', max: 10, unit: 'in number' },
  replayed: {
    of: 'failed events in one request for their replay',
    max: 1_000,
    unit: 'in number',
    beyond: 'answers `has_more`',
  },
  counted: { of: 'events in the statistics of a webhook', max: 1_000, unit: 'in number', beyond: 'counts the latest' },
  lock: { of: 'wait for a locked webhook', max: 2_000, unit: 'milliseconds', beyond: '503' },
  payload: {
    of: 'the body of a request to a webhook',
    max: 64_000,
    unit: 'bytes',
    beyond: 'leaves out `headers`, then recipients',
  },
  headers: { of: '`headers` in it, names and values together', max: 4_000, unit: 'bytes', beyond: 'left out' },
} satisfies Limits;
