import type { IncomingMessage, ServerResponse } from 'node:http';

/** A doubled slash works as a single one (contract, section 1): some clients join base address and path with both. */
export function collapseSlashes(request: IncomingMessage, _response: ServerResponse, next: () => void): void {
  const [path = '', ...query] = (request.url ?? '').split('?');
  if (path.includes('//')) request.url = [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  next();
}
