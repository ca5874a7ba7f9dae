import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../shared/errors/api-error.js';
import { pathParameter } from '../../shared/http/path-parameter.js';
import { thisServerHasNo } from '../../shared/text/this-server-has-no.js';

/** The id or email in a path. @throws ApiError 404 for `imports`, which Resend has in its place */
export function contactInPath(request: IncomingMessage): string {
  const idOrEmail = pathParameter(request, 'idOrEmail');
  if (idOrEmail.toLowerCase() === 'imports') throw noImports();
  return idOrEmail;
}

/** 404. */
export const noImports = (): ApiError => ApiError.notFound(thisServerHasNo('contact imports'));
