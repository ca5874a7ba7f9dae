/** A health check of a service of this process. */
export interface Probe {
  name: string;
  /** False: without it the process still serves requests; pending work is done later. */
  vital: boolean;
  /** Rejects when it does not answer. */
  check(): Promise<void>;
  /** Reason for an operator, without addresses. */
  reason(error: unknown): string;
  /** Releases its resources. */
  close?(): void | Promise<void>;
}

/** The probes of this process. */
export const PROBES = Symbol('PROBES');
