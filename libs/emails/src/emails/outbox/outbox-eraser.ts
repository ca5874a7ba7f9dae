import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import type { PersonEraser, PersonToErase } from '../ports/person-eraser.js';
import type { OutboxRepository } from '../storage/outbox.repository.js';

/** Events of one step. */
const STEP = 500;

/**
 * Takes a person out of events that still wait to be told and are of no email: what is told of emails is read when it is
 * told. The address gives way to a fixed one, and of what else says who that is nothing is left. Whatever is handed over
 * from then on is without that person, and what was handed over before is committed.
 */
export class OutboxEraser implements PersonEraser {
  constructor(private readonly outbox: Pick<OutboxRepository, 'rewritePerson' | 'awaitHandovers'>) {}

  async erase({ accountId, address, before }: PersonToErase): Promise<boolean> {
    const key = addressKey(address);
    return (await this.outbox.rewritePerson({ accountId, key, before }, STEP, (data) => without(data, key))) > 0;
  }

  /** What is handed over from now on is read from emails as they are; what was read before is committed then. */
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
