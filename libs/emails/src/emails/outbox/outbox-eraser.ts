import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import type { PersonEraser, PersonToErase } from '../ports/person-eraser.js';
import type { OutboxRepository } from '../storage/outbox/outbox.repository.js';

/** Events of one step. */
const STEP = 500;

/**
 * Removes a person from waiting events that belong to no email; events of emails are read at the hand-over. A fixed
 * address replaces the person's, and every other identifying text is cleared. Events handed over afterwards do not
 * contain the person, and earlier hand-overs are committed.
 */
export class OutboxEraser implements PersonEraser {
  constructor(private readonly outbox: Pick<OutboxRepository, 'rewritePerson' | 'awaitHandovers'>) {}

  async erase({ accountId, address, before }: PersonToErase): Promise<boolean> {
    const key = addressKey(address);
    return (await this.outbox.rewritePerson({ accountId, key, before }, STEP, (data) => without(data, key))) > 0;
  }

  /** From now on, events are read from the changed emails; hand-overs of earlier reads are committed. */
  async eraseEmails(): Promise<boolean> {
    await this.outbox.awaitHandovers();
    return false;
  }
}

function without(data: Record<string, unknown>, key: string): Record<string, unknown> {
  const isOwn = isPerson(data.email, key);
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
      if (isPerson(value, key)) return [[name, ERASED_ADDRESS]];
      if (isOwn && (name === 'first_name' || name === 'last_name')) return [[name, '']];
      const isNamed = JSON.stringify(value ?? null)
        .toLowerCase()
        .includes(key);
      return isNamed || (isOwn && name === 'properties') ? [] : [[name, value]];
    }),
  );
}

function isPerson(value: unknown, key: string): boolean {
  return typeof value === 'string' && mailboxKey(value) === key;
}
