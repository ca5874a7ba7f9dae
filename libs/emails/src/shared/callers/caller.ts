import type { IncomingMessage } from 'node:http';

/** What a caller may do: everything, or `POST /emails` only. */
export type Permission = 'full_access' | 'sending_access';

/** The account a request stands for. Every email, key and cursor belongs to exactly one account. */
export interface Caller {
  /** Opaque to the library; 1 to 255 characters, well-formed Unicode without NUL. Anything else is answered 500. */
  accountId: string;
  permission: Permission;
}

const CALLER = Symbol('nestjs-emails caller');

interface RequestWithCaller extends IncomingMessage {
  [CALLER]?: Caller;
}

/** Notes on a request who sent it. */
export function noteCaller(request: IncomingMessage, caller: Caller): void {
  (request as RequestWithCaller)[CALLER] = caller;
}

/** Who sent a request; undefined before a guard has found that out. */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as RequestWithCaller)[CALLER];
}

/** The account that a request stands for, once `CallerGuard` let it pass. */
export function accountOf(request: IncomingMessage): string {
  const caller = callerOf(request);
  if (!caller) throw new Error('A controller of nestjs-emails is mounted without CallerGuard.');
  return caller.accountId;
}
