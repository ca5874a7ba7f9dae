import type { EmailTransport } from './email-transport.js';

/** One of several transports. */
export interface NamedTransport {
  /**
   * Its name in attempts, events, metrics and the log: 1 to 100 printable ASCII characters, different from that of any other.
   * Default: the transport's `nextHop`, such as host and port.
   */
  name?: string | undefined;

  transport: EmailTransport;

  /**
   * Its share of the mail, compared with that of the others: from 0 to 1,000. Default: 0. Where any transport that may
   * take an email has one, the email is divided by them, and a transport without one gets what the others cannot take. Where
   * none has one, the first that can take the email gets it.
   */
  weight?: number | undefined;

  /** The mail that it may take. Default: any. */
  for?: MailRule | undefined;
}

/** Mail that a transport may take: an email must meet each condition that is given. */
export interface MailRule {
  /** Domains of the address in `from`; `*.example.com` means those below. Letter case does not matter. Default: any. */
  fromDomains?: readonly string[] | undefined;
  /** Domains of recipients, written in the same way. Each recipient of a message must be at one of them. Default: any. */
  recipientDomains?: readonly string[] | undefined;
  /** Names of tags, or names and values (`name=value`), of which the email must have one. Default: any. */
  tags?: readonly string[] | undefined;
  /** Accounts. Default: any. */
  accounts?: readonly string[] | undefined;
}
