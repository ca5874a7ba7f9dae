/** A person that an account wants erased. */
export interface PersonToErase {
  accountId: string;
  /** An address, domain in A-labels. Letter case and quotes around the local part do not distinguish people. */
  address: string;
  /** Time of the request: later data is not part of this erasure. */
  before: Date;
}

/** An email from which a person was erased, in its current state. */
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
  /** True if its content and the reasons of its events were deleted, because that person was its recipient. */
  isCleared: boolean;
}

/** Emails from which a person was erased. */
export interface EmailsToErase {
  accountId: string;
  /** Up to 100. */
  emails: readonly ErasedEmail[];
}

/** Takes part when a person is erased: removes its own data about an address. */
export interface PersonEraser {
  /**
   * Removes a part within seconds, and resolves with whether there is more; then it is called again. It is also called
   * again after a failure or the death of a process, and for people without any data. The erasure does not end before
   * it resolves with false.
   */
  erase(person: PersonToErase): Promise<boolean>;

  /**
   * Updates its own data about emails to the erased state, including events of other recipients that may name the
   * person. Called for every email that contained the person, at the latest when nothing of it is pending. Resolves as
   * `erase` does.
   */
  eraseEmails?(emails: EmailsToErase): Promise<boolean>;
}
