import { parseScheduledAt } from '../scheduled-at.js';
import { rule } from './rule.js';

export const IsScheduledAt = () =>
  rule('isScheduledAt', (value) =>
    typeof value === 'string' && parseScheduledAt(value) !== undefined
      ? undefined
      : 'must be an ISO 8601 date and time such as `2026-11-21T05:26:01Z`',
  );
