import type { IncomingMessage } from 'node:http';
import type { Caller } from './caller.js';

const HANDED_ON = Symbol('nestjs-emails handed on');

interface HandedOnRequest extends IncomingMessage {
  [HANDED_ON]?: Caller;
}

/**
 * Hands a request on to the routes of the package within this process, for a caller who was authenticated in a way that
 * those routes do not know, such as the session of a page. `ApiKeyGuard` admits it as that caller. The code that hands
 * on must have checked that the request is the caller's intention (CSRF): the routes do not check again. Actions are
 * recorded as those of the page, with the `sessionId` of `caller.page`.
 *
 * @example
 * ```ts
 * handOn(request, { accountId: 'acme', permission: 'full_access' });
 * ```
 */
export function handOn(request: IncomingMessage, caller: Caller): void {
  (request as HandedOnRequest)[HANDED_ON] = { ...caller, page: caller.page ?? { sessionId: null } };
}

/**
 * The caller for whom a request was handed on. Nothing within a request can set it. For a host's own guards.
 *
 * @example
 * ```ts
 * class TenantGuard implements CanActivate {
 *   canActivate(context: ExecutionContext): boolean {
 *     return callerHandedOn(context.switchToHttp().getRequest()) !== undefined;
 *   }
 * }
 * ```
 */
export function callerHandedOn(request: IncomingMessage): Caller | undefined {
  return (request as HandedOnRequest)[HANDED_ON];
}
