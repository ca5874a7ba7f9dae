import type { EntityManager } from 'typeorm';
import type { EventSubscription, HandedEvent } from '../../index.js';
import type { EmailReference, EmailReferences } from './email-references.js';
import { bareMessageId } from './message-id.js';
import { relayIdOf } from './relay-id.js';

/** Notes the names under which relays may report on an email that they accepted. */
export class EmailReferenceSubscription implements EventSubscription {
  readonly name = 'feedback-references';
  readonly types = ['sent'];

  constructor(private readonly references: Pick<EmailReferences, 'note'>) {}

  handle(events: readonly HandedEvent[], manager: EntityManager): Promise<void> {
    return this.references.note(manager, events.flatMap(referencesOf));
  }
}

function referencesOf({ event }: HandedEvent): (EmailReference & { emailId: string })[] {
  if (!('email' in event)) return [];
  const { emailId, reason = '', email } = event;
  const [relayId, messageId] = [relayIdOf(reason), bareMessageId(email.messageId)];
  return [
    ...(relayId === undefined ? [] : [{ kind: 'relay', text: relayId, emailId } as const]),
    // One that was not given contains the id.
    ...(messageId.includes(emailId) ? [] : [{ kind: 'message', text: messageId, emailId } as const]),
  ];
}
