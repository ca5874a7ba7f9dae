import type { Limits } from '../shared/limits.js';

/** Limits of feedback. */
export const FEEDBACK_LIMITS = {
  messageBytes: { of: 'a report by mail', max: 1_048_576, unit: 'bytes', beyond: '552' },
  connections: { of: 'simultaneous connections of the SMTP listener', max: 20, unit: 'at once', beyond: '421' },
  messagesPerMinute: {
    of: 'messages and refused recipients of one address at the SMTP listener',
    max: 100,
    unit: 'times a minute',
    beyond: '421',
  },
} satisfies Limits;
