import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { EmailsOptions } from '../emails.options.js';
import { EMAILS_OPTIONS } from '../emails.tokens.js';

/** Warns at the start about a base address of links that other machines may not reach. */
@Injectable()
export class PublicUrlCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('EmailsModule');

  constructor(@Inject(EMAILS_OPTIONS) private readonly options: EmailsOptions) {}

  onApplicationBootstrap(): void {
    const { secretKeys = [], publicUrl } = this.options;
    if (secretKeys.length === 0 || publicUrl !== undefined) return;
    this.logger.warn('`publicUrl` (`PUBLIC_URL`) is not set: links use the address that this process listens on.');
  }
}
