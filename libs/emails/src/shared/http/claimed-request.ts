import type { IncomingMessage } from 'node:http';

const CLAIMED = Symbol('nestjs-emails taken');

interface ClaimedRequest extends IncomingMessage {
  [CLAIMED]?: true;
}

/** Claims a request for a route of the library. False when a route has claimed it already. */
export function claim(request: ClaimedRequest): boolean {
  if (request[CLAIMED]) return false;
  request[CLAIMED] = true;
  return true;
}

/** True if a route of the library has claimed this request. */
export function isClaimed(request: ClaimedRequest): boolean {
  return request[CLAIMED] === true;
}
