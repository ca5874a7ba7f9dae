import type { EntityManager } from 'typeorm';
import type { HandedEvent } from '../../index.js';
import { EmailReferenceSubscription } from './email-reference.subscription.js';
import type { EmailReferences } from './email-references.js';

const EMAIL = '0196a000-0000-7000-8000-000000000001';
const event = (reason: string | undefined, messageId: string) =>
  ({ key: '', event: { emailId: EMAIL, type: 'sent', reason, email: { messageId } } }) as unknown as HandedEvent;

describe('EmailReferenceSubscription', () => {
  it("notes a relay's id, and a Message-ID that was given", async () => {
    const noted: Parameters<EmailReferences['note']>[1][number][] = [];
    const note: EmailReferences['note'] = async (_, some) => void noted.push(...some);
    const events = [
      event('250 ok: queued as 4ABC123', `<${EMAIL}@from.test>`),
      event(undefined, '<given@from.test>'),
      { key: '', event: { type: 'contact.created', data: {} } } as unknown as HandedEvent,
    ];
    await new EmailReferenceSubscription({ note }).handle(events, {} as EntityManager);
    expect(noted).toEqual([
      { kind: 'relay', text: '4ABC123', emailId: EMAIL },
      { kind: 'message', text: 'given@from.test', emailId: EMAIL },
    ]);
  });
});
