import type { IncomingMessage } from 'node:http';

/** What a caller may do: everything, or `POST /emails` only. */
export type Permission = 'full_access' | 'sending_access';

/** The account a request stands for. Every email, key and cursor belongs to exactly one account. */
export interface Caller {
  /** Opaque to the library; 1 to 255 characters, well-formed Unicode without NUL. Anything else is answered 500. */
  accountId: string;
  permission: Permission;
}

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
