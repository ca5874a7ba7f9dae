/** Whom an account wants erased. */
export interface PersonToErase {
  accountId: string;
  /** An address, domain in A-labels. Letter case and quotes around the local part do not tell people apart. */
  address: string;
  /** When it was asked for: what came later is no matter of this erasure. */
  before: Date;
}

/** Takes part when a person is erased, by removing what it keeps of an address besides emails. */
export interface PersonEraser {
  /**
   * Removes a part that is done within seconds, and resolves with whether there is more: then it is called again. Called
   * again too after a failure, a process that died, or for somebody whom it never knew. The erasure is not over before it
   * resolves with false.
   */
  erase(person: PersonToErase): Promise<boolean>;
}
