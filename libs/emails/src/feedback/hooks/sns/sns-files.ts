import { Logger } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { GuardedClient, type GuardedClientOptions } from '../../../shared/net/guarded-client.js';
import { FEEDBACK_LIMITS } from '../../limits.js';

/** Requests to SNS, and to the authorities of its certificates. */
export interface SnsFiles {
  /** @throws ApiError 503 when there is no such file now: SNS sends the message again */
  get(url: string): Promise<Buffer>;
}

/** Injection token of `SnsFiles`. */
export const SNS_FILES = Symbol('nestjs-emails files of Amazon SNS');

/**
 * The same by the internet. An authority has the certificates that sign others at addresses without TLS: RFC 5280, section
 * 4.2.2.1.
 */
export class GuardedSnsFiles implements SnsFiles {
  private readonly logger = new Logger(GuardedSnsFiles.name);
  private readonly client: GuardedClient;

  constructor(options: Partial<GuardedClientOptions> = {}) {
    this.client = new GuardedClient({ ports: [80, 443], allowedHosts: [], ...options });
  }

  async get(url: string): Promise<Buffer> {
    try {
      const { body, url: last } = await this.client.download(url, {
        maxBytes: FEEDBACK_LIMITS.snsFile.max,
        makeRoom: () => undefined,
        signal: AbortSignal.timeout(FEEDBACK_LIMITS.snsTime.max),
      });
      if (last.host !== new URL(url).host) throw new Error('It redirects to another host.');
      return body;
    } catch (error) {
      this.logger.warn(`${new URL(url).host} gave no answer that a message of Amazon SNS needs: ${reasonOf(error)}`);
      throw snsAway();
    }
  }
}

/** SNS sends the message again. */
export function snsAway(): ApiError {
  return new ApiError(503, 'application_error', 'Amazon SNS could not be asked. Nothing was accepted.', {
    'retry-after': '20',
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown';
}
