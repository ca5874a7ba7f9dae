/** Something that must answer for this process to be of use. */
export interface Probe {
  name: string;
  /** Rejects when it does not answer. */
  check(): Promise<void>;
  /** In words for an operator, without addresses. */
  reason(error: unknown): string;
  /** Gives back what it holds. */
  close?(): void | Promise<void>;
}

/** The probes of this process. */
export const PROBES = Symbol('PROBES');
