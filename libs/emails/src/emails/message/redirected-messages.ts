import type { BuiltMessage } from '../ports/email-transport.js';
import type { MessageBuilder, MessageContent } from './message-builder.js';
import { withOriginalRecipients } from './original-recipients.js';

type Builder = Pick<MessageBuilder, 'build'>;

/**
 * Builds messages that go to one mailbox, with the header fields that name their recipients: before the message stages, so
 * that a signature can cover them.
 */
export class RedirectedMessages implements Builder {
  constructor(private readonly builder: Builder) {}

  build(email: MessageContent, recipients: readonly string[], hidden: ReadonlySet<string>): Promise<BuiltMessage> {
    return this.builder.build(withOriginalRecipients(email, recipients), recipients, hidden);
  }
}
