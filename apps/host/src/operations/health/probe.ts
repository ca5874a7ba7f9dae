/** Something that this process works with, and how to find out whether it answers. */
export interface Probe {
  name: string;
  /** False: without it the process still does what it is asked for; what is owed is made up for later. */
  vital: boolean;
  /** Rejects when it does not answer. */
  check(): Promise<void>;
  /** In words for an operator, without addresses. */
  reason(error: unknown): string;
  /** Gives back what it holds. */
  close?(): void | Promise<void>;
}

/** The probes of this process. */
export const PROBES = Symbol('PROBES');
