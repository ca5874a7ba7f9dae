import type { IncomingMessage } from 'node:http';
import { ApiError } from 'nestjs-emails';

/** A header of each request of the page. Forms and other origins cannot send it without a preflight (CORS). */
export const PAGE_HEADER = 'x-emails-page';

/**
 * Refuses requests that another page, or another server on the same machine, makes the browser send (CSRF). A request
 * without an origin does not come from a browser.
 *
 * @param publicUrl further address of the page, in addition to the target of the request
 * @throws ApiError 403
 */
export function requireOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw foreign();
  const { origin } = headers;
  if (origin === undefined) return;
  const isHere = headers.host !== undefined && hostOf(origin) === headers.host;
  if (!isHere && origin !== originOf(publicUrl)) throw foreign();
}

/** The same for requests of the page's own scripts. @returns their page token. @throws ApiError 403 */
export function requireOwnScript(request: IncomingMessage, publicUrl: string | undefined): string {
  requireOwnOrigin(request, publicUrl);
  const shown = request.headers[PAGE_HEADER];
  if (typeof shown !== 'string') throw foreign();
  return shown;
}

function foreign(): ApiError {
  return new ApiError(403, 'invalid_access', 'This is for the page itself, and not for what another page asks.');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}
