import type { HandedEvent } from '../../index.js';
import { suppresses } from '../../shared/replies/suppresses.js';
import { operatorOfAddress } from './operator-counter.js';
import type { NewOperatorCount } from './operators.repository.js';

/** The permanent refusals of operators in these events. */
export function countRefusals(events: readonly HandedEvent[]): NewOperatorCount[] {
  return events.flatMap(({ event }): NewOperatorCount[] => {
    if (!('email' in event) || suppresses(event) !== 'bounce') return [];
    const { bounce, recipient, createdAt: at } = event;
    if (bounce?.operator === undefined || recipient === undefined) return [];
    const isOwn = operatorOfAddress(recipient) === bounce.operator;
    return [{ operator: bounce.operator, at, recipients: 0, refusals: 1, ownRefusals: isOwn ? 1 : 0 }];
  });
}
