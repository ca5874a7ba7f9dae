import type { IncomingMessage } from 'node:http';
import type { Caller } from './caller.js';

/**
 * Says which account an authenticated request stands for.
 *
 * Called after the host's guards and before the body is read. It only reads what a guard left on the request:
 * authenticating is the guard's task. Throw an `ApiError` to refuse.
 */
export interface AccountResolver {
  /** @throws ApiError to refuse */
  resolve(request: IncomingMessage): Caller | Promise<Caller>;
}

/** What a caller shows who does not come by HTTP: in a frame of a socket, in the environment of a command. */
export interface Credentials {
  token: string;
  /** Where the caller is, for limits on guesses. Default: not known. */
  remoteAddress?: string | undefined;
}

/** The same for a caller without an HTTP request; nobody else has looked at what it shows. */
export interface CredentialsResolver {
  /** @throws ApiError 401 when nobody has these credentials, 429 after too many of them, 503 when that cannot be told now */
  resolveCredentials(credentials: Credentials): Promise<Caller>;
}

/** A key that somebody showed. */
export interface IdentifiedKey {
  /** Says which key it is and opens nothing. */
  id: string;
  caller: Caller;
}

/** For those who remember a key by its id, such as the session of a page, in place of its token. */
export interface KeyIdentifier {
  /** @throws ApiError 401 when it is no key, 429 after too many of those, 503 when that cannot be told now */
  identifyKey(credentials: Credentials): Promise<IdentifiedKey>;

  /**
   * Whom a key speaks for that was identified before; undefined once it is revoked, within a second on every process.
   *
   * @throws ApiError 503 when that cannot be told now
   */
  callerOfKey(id: string): Promise<Caller | undefined>;

  /**
   * Remembers that a session was ended, in this process at once, in every other within a second. Default: the page remembers
   * it in the process that was asked.
   *
   * @param endsAt when it would end by itself; from then on it may be forgotten
   * @throws ApiError 503 when that cannot be written now
   */
  endSession?(sessionId: string, endsAt: Date): Promise<void>;

  /** Whether a session was ended so. @throws ApiError 503 when that cannot be told now */
  isSessionEnded?(sessionId: string): Promise<boolean>;
}

/** Injection token of the `AccountResolver` of a module with routes. */
export const ACCOUNT_RESOLVER = Symbol('nestjs-emails account resolver');
