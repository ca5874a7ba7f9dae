import type { IncomingMessage } from 'node:http';
import { ApiError } from 'nestjs-emails';

/** What the page sends with each request; no form and no other origin can, without being asked first (CORS). */
export const PAGE_HEADER = 'x-emails-page';

/**
 * Refuses what another page, or another server on the same machine, has the browser ask (CSRF). What says nothing of where it
 * comes from is no browser's.
 *
 * @param publicUrl under whose address the page may be, besides the one that the request was sent to
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

/** The same for what only the page's own scripts ask. @returns what they show. @throws ApiError 403 */
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
