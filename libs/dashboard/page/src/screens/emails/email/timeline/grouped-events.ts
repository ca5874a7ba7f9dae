import type { EmailEvent, EmailRecipient } from '../../../../api/types';

/** Events of one recipient, or of the whole email. */
export interface EventGroup {
  /** Null: the email as a whole. */
  address: string | null;
  recipient: EmailRecipient | undefined;
  /** Newest last. */
  events: EmailEvent[];
}

/**
 * Events by recipient, those of the whole email first.
 *
 * @param events newest first, in the order of the API
 */
export function groupEvents(events: readonly EmailEvent[], recipients: readonly EmailRecipient[]): EventGroup[] {
  const inOrder = events.toReversed();
  if (recipients.length <= 1) {
    return inOrder.length === 0 && recipients.length === 0
      ? []
      : [{ address: recipients[0]?.address ?? null, recipient: recipients[0], events: inOrder }];
  }
  const whole = inOrder.filter(({ recipient }) => recipient === null);
  const groups: EventGroup[] = recipients.map((recipient) => ({
    address: recipient.address,
    recipient,
    events: inOrder.filter((event) => event.recipient === recipient.address),
  }));
  return [...(whole.length > 0 ? [{ address: null, recipient: undefined, events: whole }] : []), ...groups];
}

/** The server's words, without the type that a diagnostic code begins with (RFC 3464 section 2.3.6); else the reason. */
export function replyOf({ bounce, reason }: EmailEvent): string | undefined {
  const [diagnostic] = bounce?.diagnosticCode ?? [];
  return diagnostic?.replace(/^smtp; ?/i, '') ?? reason ?? bounce?.message;
}
