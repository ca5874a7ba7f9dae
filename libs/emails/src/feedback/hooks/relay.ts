import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RelayReport } from './relay-report.js';

/** The contents of one request of a relay, proven to be the relay's. */
export interface RelayPost {
  reports: readonly RelayReport[];
  /** Called once all reports are committed, before the answer. */
  recorded?: () => Promise<void>;
}

/** A mail relay that reports by HTTP: how its requests are proven, and what they mean. */
export interface Relay {
  /**
   * Refuses a request by its head, so that its body is never read.
   *
   * @throws ApiError 401
   */
  admit(request: IncomingMessage): void;

  /**
   * Verifies and translates a body. An unknown kind of event gives no report.
   *
   * @throws ApiError 401 for a wrong, old or used proof, 400 for a body that is not the relay's format
   */
  read(body: Buffer, headers: IncomingHttpHeaders): RelayPost | Promise<RelayPost>;
}

/** The configured relays by their names in the path. */
export type Relays = ReadonlyMap<string, Relay>;

/** Injection token of `Relays`. */
export const RELAYS = Symbol('nestjs-emails relays that report');
