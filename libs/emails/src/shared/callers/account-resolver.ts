import type { IncomingMessage } from 'node:http';
import type { Caller } from './caller.js';

/**
 * Resolves the account of an authenticated request.
 *
 * Called after the host's guards and before the body is read. It only reads data that a guard left on the request:
 * authentication is the guard's task. Throw an `ApiError` to refuse.
 */
export interface AccountResolver {
  /** @throws ApiError to refuse */
  resolve(request: IncomingMessage): Caller | Promise<Caller>;
}

/** Credentials of a caller without HTTP: in a frame of a socket, in the environment of a command. */
export interface Credentials {
  token: string;
  /** Address of the caller, for limits on guesses. Default: unknown. */
  remoteAddress?: string | undefined;
}

/** The same for a caller without an HTTP request; no guard has checked its credentials. */
export interface CredentialsResolver {
  /** @throws ApiError 401 for unknown credentials, 429 after too many of them, 503 when they cannot be checked now */
  resolveCredentials(credentials: Credentials): Promise<Caller>;
}

/** An identified key. A caller with a role is admitted to the page alone. */
export interface IdentifiedKey {
  /** Id of the key, which does not authenticate. */
  id: string;
  caller: Caller;
}

/** For components that store a key's id in place of its token, such as the session of a page. */
export interface KeyIdentifier {
  /** @throws ApiError 401 for an unknown key, 429 after too many unknown keys, 503 when it cannot be checked now */
  identifyKey(credentials: Credentials): Promise<IdentifiedKey>;

  /**
   * Caller of a key that was identified before; undefined within a second of its revocation, on every process.
   *
   * @throws ApiError 503 when it cannot be checked now
   */
  callerOfKey(id: string): Promise<Caller | undefined>;

  /**
   * Records that a session was ended: in this process at once, in every other within a second. Default: only the
   * process that handles the request knows it.
   *
   * @param endsAt when it would expire; from then on the record may be deleted
   * @throws ApiError 503 when it cannot be written now
   */
  endSession?(sessionId: string, endsAt: Date): Promise<void>;

  /** True if a session was ended so. @throws ApiError 503 when it cannot be checked now */
  isSessionEnded?(sessionId: string): Promise<boolean>;
}

/** Injection token of the `AccountResolver` of a module with routes. */
export const ACCOUNT_RESOLVER = Symbol('nestjs-emails account resolver');
