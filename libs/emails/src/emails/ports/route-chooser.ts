import type { EmailTransport } from './email-transport.js';

/** A message that needs a transport. */
export interface RoutedMail {
  accountId: string;
  emailId: string;
  /** Domain of the address in `from`, in lower-case A-labels. */
  fromDomain: string;
  /** Domains of its recipients, in the same form, each once. */
  recipientDomains: readonly string[];
  tags: readonly { name: string; value: string }[];
  /** Transports that it was given to since its last wait, and that said nothing about it. */
  tried: readonly string[];
}

/** An account's own transport, made when it is first needed. */
export interface OwnTransport {
  /**
   * Identifies its settings: another key is another transport. Put a version of the settings into it, and no secret: it
   * names the transport in the log, in attempts and in events. 1 to 100 printable ASCII characters, not the name of one of
   * `transports`.
   */
  key: string;
  /**
   * Makes the transport. Called once while it is in use; it is closed after 5 minutes without mail. An error defers the
   * email, and is logged by its name alone.
   */
  make(): EmailTransport | Promise<EmailTransport>;
}

/**
 * Decides which transports may take an email. Asked at delivery, for each attempt. A rejection, a malformed answer or no
 * answer within 3 seconds defers the email.
 */
export interface RouteChooser {
  /**
   * Names of `transports`, or the account's own, in the order in which they are to be tried. Undefined: those that may take it
   * by their rules. None: the email is deferred.
   */
  choose(
    mail: RoutedMail,
  ): readonly (string | OwnTransport)[] | undefined | Promise<readonly (string | OwnTransport)[] | undefined>;
}
