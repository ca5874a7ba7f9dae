import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { MessageBuilder } from '../message/message-builder.js';
import { RedirectedMessages } from '../message/redirected-messages.js';
import type { EmailTransport } from '../ports/email-transport.js';
import type { RecipientPolicy } from '../ports/recipient-policy.js';
import type { StagingPart } from '../ports/staging-part.js';
import { AllowedRecipients } from './allowed-recipients.js';
import { redirectMailboxOf } from './redirect-mailbox.js';
import { RedirectingTransport } from './redirecting-transport.js';
import type { StagingOptions } from './staging.options.js';

type Builder = Pick<MessageBuilder, 'build'>;

/**
 * The staging switch of this process: who gets mail here. Both options are undefined while it is off.
 *
 * @example
 * ```ts
 * const { redirectAllTo } = app.get(StagingSwitch);
 * if (redirectAllTo !== undefined) console.warn(`All mail goes to ${redirectAllTo}.`);
 * ```
 */
@Injectable()
export class StagingSwitch implements OnApplicationBootstrap {
  /** The only addresses and domains that get mail. Default: everybody. */
  readonly onlyTo: readonly string[] | undefined;
  /** The mailbox that gets all messages in place of their recipients. Default: none. */
  readonly redirectAllTo: string | undefined;

  /** @internal Made by `EmailsModule`. */
  constructor({ onlyTo, redirectAllTo }: StagingOptions = {}) {
    this.onlyTo = onlyTo;
    this.redirectAllTo = redirectAllTo;
  }

  /** The options that are on, without addresses: for health. */
  get active(): StagingPart[] {
    return [
      ...(this.onlyTo === undefined ? [] : ['only_to' as const]),
      ...(this.redirectAllTo === undefined ? [] : ['redirect_all_to' as const]),
    ];
  }

  /** @internal */
  onApplicationBootstrap(): void {
    const { onlyTo, redirectAllTo } = this;
    if (this.active.length === 0) return;
    new Logger(StagingSwitch.name).warn(
      [
        'The staging switch is on.',
        ...(onlyTo ? [`Only ${onlyTo.join(', ')} may get mail; it fails for other recipients.`] : []),
        ...(redirectAllTo === undefined ? [] : [`All mail goes to ${redirectAllTo} in place of its recipients.`]),
      ].join(' '),
    );
  }

  /** @internal Policies that decide before all others. */
  get policies(): readonly RecipientPolicy[] {
    return this.onlyTo ? [new AllowedRecipients(this.onlyTo)] : [];
  }

  /** @internal The transport that messages take. */
  transport(transport: EmailTransport): EmailTransport {
    if (this.redirectAllTo === undefined) return transport;
    return new RedirectingTransport(transport, redirectMailboxOf(this.redirectAllTo));
  }

  /** @internal The builder of messages for that transport. */
  messages(builder: Builder): Builder {
    return this.redirectAllTo === undefined ? builder : new RedirectedMessages(builder);
  }
}
