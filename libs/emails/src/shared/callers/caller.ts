import type { IncomingMessage } from 'node:http';
import type { PageRole } from './page-roles.js';

/** Permission of a caller: everything, or `POST /emails` only. */
export type Permission = 'full_access' | 'sending_access';

/** The account of a request. Every email, key and cursor belongs to exactly one account. */
export interface Caller {
  /** Opaque to the library; 1 to 255 characters, well-formed Unicode without NUL. Anything else is answered 500. */
  accountId: string;
  permission: Permission;
  /** Role of the person who acts, which limits `full_access`. Default: `admin`. */
  role?: PageRole | undefined;
  /** Id of the API key of the request, for sender policies. Default: none. */
  apiKeyId?: string | undefined;
  /** The domain that the key is bound to, for sender policies. Default: none. */
  domainId?: string | undefined;
  /**
   * Set for a request of the page, for the record of actions. `sessionId` is null where the host signs people in.
   * Default: the request came to the API itself.
   */
  page?: { sessionId: string | null } | undefined;
}

const CALLER = Symbol('nestjs-emails caller');

interface RequestWithCaller extends IncomingMessage {
  [CALLER]?: Caller;
}

/**
 * Notes the caller on a request.
 *
 * @example
 * ```ts
 * class TenantGuard implements CanActivate {
 *   canActivate(context: ExecutionContext): boolean {
 *     noteCaller(context.switchToHttp().getRequest(), { accountId: 'acme', permission: 'full_access' });
 *     return true;
 *   }
 * }
 * ```
 */
export function noteCaller(request: IncomingMessage, caller: Caller): void {
  (request as RequestWithCaller)[CALLER] = caller;
}

/**
 * The caller of a request; undefined before a guard has noted one.
 *
 * @example
 * ```ts
 * const accountId = callerOf(request)?.accountId;
 * ```
 */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as RequestWithCaller)[CALLER];
}

/** The account of a request, after `CallerGuard` admitted it. */
export function accountOf(request: IncomingMessage): string {
  const caller = callerOf(request);
  if (!caller) throw new Error('A controller of nestjs-emails is mounted without CallerGuard.');
  return caller.accountId;
}
