import type { IncomingMessage } from 'node:http';

const TAKEN = Symbol('nestjs-emails taken');

interface TakenRequest extends IncomingMessage {
  [TAKEN]?: true;
}

/** Notes that a route of the library answers this request. False when one does so already. */
export function take(request: TakenRequest): boolean {
  if (request[TAKEN]) return false;
  request[TAKEN] = true;
  return true;
}

/** Whether a route of the library has answered this request, or will. */
export function isTaken(request: TakenRequest): boolean {
  return request[TAKEN] === true;
}
