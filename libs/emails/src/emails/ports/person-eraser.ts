/** Whom an account wants erased. */
export interface PersonToErase {
  accountId: string;
  /** An address, domain in A-labels. Letter case and quotes around the local part do not tell people apart. */
  address: string;
  /** When it was asked for: what came later is no matter of this erasure. */
  before: Date;
}

/** An email from which a person was taken out, as it is now. */
export interface ErasedEmail {
  id: string;
  /** With the angle brackets. */
  messageId: string;
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  subject: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Whether its content and the reasons of its events are gone: it was to that person. */
  isCleared: boolean;
}

/** Emails from which a person was taken out. */
export interface EmailsToErase {
  accountId: string;
  /** Up to 100. */
  emails: readonly ErasedEmail[];
}

/** Takes part when a person is erased, by removing what it keeps of an address besides emails. */
export interface PersonEraser {
  /**
   * Removes a part that is done within seconds, and resolves with whether there is more: then it is called again. Called
   * again too after a failure, a process that died, or for somebody whom it never knew. The erasure is not over before it
   * resolves with false.
   */
  erase(person: PersonToErase): Promise<boolean>;

  /**
   * Makes what it keeps of emails agree with them: of the events of others too, in which the person may be named. Called for
   * every email that the person was in, at the latest when nothing is owed of it any more. Resolves as `erase` does.
   */
  eraseEmails?(emails: EmailsToErase): Promise<boolean>;
}
