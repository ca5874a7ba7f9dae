import { Inject, Injectable } from '@nestjs/common';
import type { EmailsService, MessageRecipient } from '../../index.js';
import { EMAILS_SERVICE } from '../../shared/features/emails-service.token.js';
import { UnsubscribeAddresses } from '../return-path/unsubscribe-addresses.js';

/** Mails by which recipients unsubscribe. The address that one was sent to says it all: nothing of the mail is read. */
@Injectable()
export class UnsubscribeMails {
  constructor(
    @Inject(UnsubscribeAddresses) private readonly addresses: Pick<UnsubscribeAddresses, 'recipientOf'> | undefined,
    @Inject(EMAILS_SERVICE) private readonly emails: Pick<EmailsService, 'unsubscribe'>,
  ) {}

  /** The recipient who unsubscribes by a mail to this address; undefined for another address. */
  recipientOf(address: string): MessageRecipient | undefined {
    return this.addresses?.recipientOf(address);
  }

  /** Resolves after the commit. @throws any error: the mail should be sent again */
  async take(recipient: MessageRecipient): Promise<void> {
    await this.emails.unsubscribe(recipient);
  }
}
