/** Options for the drain of a process. */
export interface DrainOptions {
  /** When to stop waiting for messages on the wire. */
  until: Date;
}

/** The work that is left after a drain. */
export interface Drained {
  /** Emails that this process still works on; 0 where it does not deliver. */
  inProgress: number;
  /** Emails that are due, in all processes, and that no worker has. Counted up to 100,000; without paused ones. */
  due: number;
}
