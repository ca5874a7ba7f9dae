import { SetMetadata } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import type { Caller } from './caller.js';
import { allows, PAGE_ROLES, type PageRole } from './page-roles.js';

const NEEDED = 'nestjs-emails page role';

/**
 * The least role for which a route of a feature is open. Without it, only an `admin` may use the route.
 *
 * @example
 * ```ts
 * @Controller('letters')
 * export class LettersController {
 *   @Get()
 *   @NeedsRole('viewer')
 *   list() {}
 * }
 * ```
 */
export const NeedsRole = (role: PageRole): MethodDecorator & ClassDecorator => SetMetadata(NEEDED, role);

/** The role that a route, or else its class, is declared for; undefined without a declaration. */
export function neededRole(...targets: readonly object[]): PageRole | undefined {
  for (const target of targets) {
    const role: PageRole | undefined = Reflect.getMetadata(NEEDED, target);
    if (role !== undefined) return role;
  }
  return undefined;
}

/** The role of a caller. @throws Error for a role that does not exist: a mistake of the host */
export function roleOf({ role }: Pick<Caller, 'role'>): PageRole {
  if (role === undefined) return 'admin';
  if (Object.hasOwn(PAGE_ROLES, role)) return role;
  throw new Error('The role that `accountResolver` gave must be `viewer`, `support` or `admin`.');
}

/** Whether a caller has this role or a higher one. */
export function hasRole(caller: Pick<Caller, 'role'>, needed: PageRole): boolean {
  return allows(roleOf(caller), needed);
}

/** Whether a caller may see html, text, attachments, headers, sources and templates. */
export function seesContents(caller: Pick<Caller, 'role'>): boolean {
  return hasRole(caller, 'support');
}

/** Refuses callers with a lower role. @throws ApiError 403 */
export function requireRole(caller: Pick<Caller, 'role'>, needed: PageRole): void {
  if (!hasRole(caller, needed)) throw ApiError.roleTooLow(roleOf(caller), needed);
}

/** The lower one of the roles of a request. */
export function lowerRole(one: PageRole | undefined, other: PageRole | undefined): PageRole | undefined {
  if (one === undefined) return other;
  if (other === undefined) return one;
  return hasRole({ role: one }, other) ? other : one;
}
