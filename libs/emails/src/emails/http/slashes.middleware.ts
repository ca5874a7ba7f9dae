import type { IncomingMessage, ServerResponse } from 'node:http';

const EMAILS = /^[^?]*\/emails(?:\/|\?|$)/;

/**
 * A doubled slash works as a single one (contract, section 1): some clients join base address and path with both.
 *
 * @example
 * ```ts
 * app.use(collapseSlashes);
 * ```
 */
export function collapseSlashes(request: IncomingMessage, _response: ServerResponse, next: () => void): void {
  const [path = '', ...query] = (request.url ?? '').split('?');
  if (path.includes('//')) request.url = [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  next();
}

/** The same for the library's routes only, under any prefix of the host. */
export function collapseSlashesOfEmails(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (EMAILS.test(request.url ?? '')) collapseSlashes(request, response, next);
  else next();
}
