import type { IncomingMessage } from 'node:http';
import type { Caller } from './caller.js';

const HANDED_ON = Symbol('nestjs-emails handed on');

interface HandedOnRequest extends IncomingMessage {
  [HANDED_ON]?: Caller;
}

/**
 * Hands a request on to the routes of the package within this process, for a caller who was recognised in another way than
 * those routes know: by the session of a page, say. `ApiKeyGuard` lets it pass as that caller. Whoever hands on has made sure
 * that the request is the caller's own will (CSRF): the routes do not ask again.
 */
export function handOn(request: IncomingMessage, caller: Caller): void {
  (request as HandedOnRequest)[HANDED_ON] = caller;
}

/** For whom a request was handed on. Nothing that a request carries can make it so. For guards of a host's own. */
export function callerHandedOn(request: IncomingMessage): Caller | undefined {
  return (request as HandedOnRequest)[HANDED_ON];
}
