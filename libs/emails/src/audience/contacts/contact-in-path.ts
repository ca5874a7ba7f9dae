import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../shared/errors/api-error.js';
import { pathParameter } from '../../shared/http/path-parameter.js';
import { parameter } from '../../shared/routes/parameters.js';
import { thisServerHasNo } from '../../shared/text/this-server-has-no.js';

/** The id or email in a path. @throws ApiError 404 for `imports`, a route of Resend at the same path */
function contactInPath(request: IncomingMessage): string {
  const idOrEmail = pathParameter(request, 'idOrEmail');
  if (idOrEmail.toLowerCase() === 'imports') throw noImports();
  return idOrEmail;
}

/** 404. */
export const noImports = (): ApiError => ApiError.notFound(thisServerHasNo('contact imports'));

/** The id or email of the contact in the path. */
export const ContactInPath = () => parameter('path', ({ request }) => contactInPath(request));
