import type { IncomingMessage } from 'node:http';
import type { Caller } from 'nestjs-emails';

const CALLER = Symbol('caller');

interface AuthenticatedRequest extends IncomingMessage {
  [CALLER]?: Caller;
}

/** Notes on a request who sent it. */
export function setCaller(request: AuthenticatedRequest, caller: Caller): void {
  request[CALLER] = caller;
}

/** Who sent a request; undefined before the guard has seen it. */
export function callerOf(request: AuthenticatedRequest): Caller | undefined {
  return request[CALLER];
}
