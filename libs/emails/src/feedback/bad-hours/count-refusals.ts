import type { HandedEvent } from '../../index.js';
import { suppresses } from '../../shared/replies/suppresses.js';
import { mailboxHash } from './mailbox-hash.js';
import { operatorOfAddress, operatorOfMailbox } from './operator-counter.js';
import type { NewOperatorCount } from './operators.repository.js';

/**
 * The permanent refusals of operators in these events. A report by mail says what its sender wants: it counts where the
 * recipient's mailbox is the operator's own, so that only its holder got the token. A relay has proved to be one. A mailbox
 * has many addresses, so that it counts and not the address.
 */
export function countRefusals(events: readonly HandedEvent[]): NewOperatorCount[] {
  return events.flatMap(({ event }): NewOperatorCount[] => {
    if (!('email' in event) || suppresses(event) !== 'bounce') return [];
    const { accountId, bounce, recipient, source, createdAt: at } = event;
    if (bounce?.operator === undefined || recipient === undefined) return [];
    const { operator } = bounce;
    const isProven = source === undefined || source === 'relay';
    if (!isProven && operatorOfMailbox(recipient) !== operator) return [];
    const ownRefusals = operatorOfAddress(recipient) === operator ? 1 : 0;
    return [{ operator, accountId, at, recipients: 0, refusals: 1, ownRefusals, mailbox: mailboxHash(recipient) }];
  });
}
