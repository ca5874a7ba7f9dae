import { addressKey } from '../../shared/mailbox/address-key.js';
import type { BuiltMessage, ConnectingTransport, EmailTransport, RecipientOutcome } from '../ports/email-transport.js';
import type { RedirectMailbox } from './redirect-mailbox.js';

type Slot = NonNullable<Awaited<ReturnType<ConnectingTransport['acquireSlot']>>>;
type AcquireSlot = ConnectingTransport['acquireSlot'];

/**
 * A transport that sends each message once, to one mailbox in place of its recipients. Each of them gets the outcome of
 * that mailbox.
 */
export class RedirectingTransport implements EmailTransport {
  readonly hop: EmailTransport['hop'];
  declare readonly nextHop?: string;
  declare readonly kind?: string;
  /** Declared only: a property without a value would say that this transport grants slots. All mail is for one destination. */
  declare readonly acquireSlot?: AcquireSlot;

  constructor(
    private readonly transport: EmailTransport & Partial<Pick<ConnectingTransport, 'acquireSlot'>>,
    private readonly mailbox: RedirectMailbox,
  ) {
    const { hop, nextHop, kind } = transport;
    this.hop = hop;
    if (nextHop !== undefined) this.nextHop = nextHop;
    if (kind !== undefined) this.kind = kind;
    if (transport.acquireSlot) this.acquireSlot = (...wanted) => this.slot(...wanted);
  }

  async send(message: BuiltMessage): Promise<readonly RecipientOutcome[]> {
    return this.outcomesOf(message, await this.transport.send(this.redirected(message)));
  }

  verify(signal?: AbortSignal): Promise<void> {
    return this.transport.verify(signal);
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private async slot(...[patience, destination, ...more]: Parameters<AcquireSlot>): Promise<Slot | undefined> {
    const slot = await this.transport.acquireSlot?.(patience, destination && this.mailbox.domain, ...more);
    return (
      slot && {
        send: (message) => this.sendIn(slot, message),
        reopen: () => slot.reopen(),
        release: () => slot.release(),
      }
    );
  }

  /** Sends at once, as the slot does. */
  private async sendIn(slot: Slot, message: BuiltMessage): Promise<readonly RecipientOutcome[] | 'stale'> {
    const reported = await slot.send(this.redirected(message));
    return reported === 'stale' ? reported : this.outcomesOf(message, reported);
  }

  private redirected(message: BuiltMessage): BuiltMessage {
    const { address, needsSmtpUtf8 } = this.mailbox;
    return { ...message, recipients: [address], needsSmtpUtf8: message.needsSmtpUtf8 || needsSmtpUtf8 };
  }

  /** Nothing where the transport says nothing of the mailbox: the outcomes are unknown then. */
  private outcomesOf({ recipients }: BuiltMessage, reported: readonly RecipientOutcome[]): RecipientOutcome[] {
    const key = addressKey(this.mailbox.address);
    const outcome = reported.find(({ address }) => addressKey(address) === key);
    return outcome ? recipients.map((address) => ({ ...outcome, address })) : [];
  }
}
