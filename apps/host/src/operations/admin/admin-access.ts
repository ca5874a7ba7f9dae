import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError } from 'nestjs-emails';
import type { FailedKeysService } from 'nestjs-emails/access';

/**
 * Authenticates operators with `ADMIN_TOKEN`: as a bearer token, or as the password of HTTP Basic with any user name
 * (RFC 7617), for which a browser prompts.
 */
export class AdminAccess {
  private readonly digest: Buffer;

  constructor(
    token: string,
    private readonly failedKeys: FailedKeysService,
  ) {
    this.digest = digestOf(token);
  }

  /** @throws ApiError 401 for other callers, 429 when that happens too often */
  async require({ headers, socket }: IncomingMessage): Promise<void> {
    const token = tokenOf(headers.authorization ?? '');
    if (token !== undefined && timingSafeEqual(digestOf(token), this.digest)) return;
    if (token !== undefined) await this.failedKeys.count(socket.remoteAddress);
    const name = token === undefined ? 'missing_api_key' : 'invalid_api_key';
    throw new ApiError(401, name, 'This needs the value of ADMIN_TOKEN, as a bearer token or as a password.', {
      'www-authenticate': 'Basic realm="nestjs-emails", charset="UTF-8"',
    });
  }
}

function tokenOf(authorization: string): string | undefined {
  const [, scheme = '', credentials = ''] = /^(Bearer|Basic) +(.+)$/i.exec(authorization) ?? [];
  if (scheme === '') return undefined;
  if (scheme.toLowerCase() === 'bearer') return credentials;
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  return decoded.slice(decoded.indexOf(':') + 1);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
