import { Injectable } from '@nestjs/common';
import type { EmailEventMethods } from '../emails/observation/email-event-methods.js';
import type { SuppressionReason } from '../emails/ports/recipient-policy.js';
import { addressKey } from '../shared/mailbox/address-key.js';
import { parseMailbox } from '../shared/mailbox/mailbox.js';
import type { AwaitedAnnouncer } from './awaited-announcer.js';
import { faultOf, type MailboxFault } from './mailbox-faults.js';
import type { Mailbox, MemoryDelivery } from './memory-delivery.js';
import type { MemorySuppressions } from './memory-suppressions.js';

const UNKNOWN = '550 5.1.1 The address does not exist';

/** A suppressed address. */
export interface TestSuppression {
  /** The account on whose list it is. Default: all accounts. */
  accountId?: string | undefined;
  /** Default: `manual`. */
  reason?: SuppressionReason | undefined;
}

/**
 * The recipients' side in a test with `EmailsTestingModule`: says which addresses are suppressed, bounce, complain or have
 * a server with a fault, and delivers. All others accept. Addresses are compared without letter case and quotes.
 *
 * As in the local inbox of the host, an address whose name begins with `slow`, `closed`, `toomuch` or `dead` has that
 * fault, unless the test says otherwise. Its mail is late or delayed, with the events of production, and tried again on the
 * default schedule. Time passes by `advance` alone, without waiting.
 *
 * @example
 * ```ts
 * const mailboxes = app.get(TestMailboxes);
 * mailboxes.bounce('typo@example.com');
 * const email = { from: 'hi@shop.example', to: 'typo@example.com', subject: 'Your order', text: 'Thank you.' };
 * const { id } = await app.get(EmailsService).send('acme', email);
 * await mailboxes.deliver();
 * (await app.get(EmailsService).get('acme', id))?.last_event; // bounced
 * mailboxes.isSuppressed('acme', 'typo@example.com'); // true
 * ```
 *
 * @example
 * ```ts
 * const mailboxes = app.get(TestMailboxes);
 * const email = { from: 'hi@shop.example', to: 'dead@example.com', subject: 'Your order', text: 'Thank you.' };
 * const { id } = await app.get(EmailsService).send('acme', email);
 * await mailboxes.deliver();
 * (await app.get(EmailsService).get('acme', id))?.last_event; // delivery_delayed
 * mailboxes.advance(600_000);
 * await mailboxes.deliver();
 * (await app.get(EmailsService).get('acme', id))?.last_event; // delivered
 * ```
 */
@Injectable()
export class TestMailboxes {
  private readonly mailboxes = new Map<string, Mailbox>();

  /** @internal Created by `EmailsTestingModule`. */
  constructor(
    private readonly delivery: MemoryDelivery,
    private readonly suppressions: MemorySuppressions,
    private readonly announcer: AwaitedAnnouncer,
    private readonly methods: EmailEventMethods,
  ) {}

  /** Puts an address on the suppression list. */
  suppress(address: string, { accountId, reason = 'manual' }: TestSuppression = {}): void {
    this.suppressions.add(envelopeOf(address), { reason }, accountId);
  }

  /**
   * The server of this address refuses emails from now on. The reply decides about the kind of the bounce, and whether the
   * address is suppressed, as in production.
   *
   * @param reply begins with a code of 5xx. Default: the address does not exist
   * @throws TypeError for another reply
   */
  bounce(address: string, reply: string = UNKNOWN): void {
    const code = /^5\d\d\b/.exec(reply)?.[0];
    if (code === undefined) throw new TypeError('`reply` must begin with a code of 5xx, as in `550 5.1.1 Unknown`.');
    this.mailboxes.set(keyOf(address), { reply: { code: Number(code), text: reply } });
  }

  /** The owner of this address reports each email as spam from now on. */
  complain(address: string): void {
    this.mailboxes.set(keyOf(address), 'complains');
  }

  /** The server of this address has a fault from now on, which begins with the next delivery to it. */
  disturb(address: string, fault: MailboxFault): void {
    this.delivery.forgetFaults(keyOf(address));
    this.mailboxes.set(keyOf(address), fault);
  }

  /** The server of this address accepts from now on, whatever the name of the address. */
  accept(address: string): void {
    this.delivery.forgetFaults(keyOf(address));
    this.mailboxes.set(keyOf(address), 'accepts');
  }

  /**
   * Lets time pass, without waiting: emails fall due, and faults end, by the next `deliver()`. Times in requests, such as
   * `in 1 hour`, are those of the machine.
   *
   * @param time milliseconds
   * @throws TypeError for a negative time
   */
  advance(time: number): void {
    this.delivery.advance(time);
  }

  /** True if the account's emails to this address end as `suppressed`. */
  isSuppressed(accountId: string, address: string): boolean {
    return this.suppressions.has(accountId, envelopeOf(address));
  }

  /**
   * Delivers the emails that are due, those to try again included, the oldest first. Resolves when they are delivered, and `@OnEmailEvent` methods and
   * `eventListeners` are done with the events. Emails of held accounts, and those that are sent meanwhile, stay.
   */
  async deliver(): Promise<void> {
    // The application need not be initialized.
    this.methods.onApplicationBootstrap();
    await this.delivery.run((address) => this.mailboxes.get(addressKey(address)) ?? faultOf(address));
    await this.announcer.idle();
  }

  /** Every address accepts again, or has the fault in its name, and none is suppressed. Time that passed remains. */
  clear(): void {
    this.mailboxes.clear();
    this.delivery.forgetFaults();
    this.suppressions.clear();
  }
}

function envelopeOf(address: string): string {
  return parseMailbox(address).envelope;
}

function keyOf(address: string): string {
  return addressKey(envelopeOf(address));
}
