import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import type { SealedSecrets } from './sealed-secrets.js';

/** Says at the start when signing secrets cannot be read: nothing is sent to their webhooks. */
@Injectable()
export class SecretsCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger(SecretsCheck.name);

  constructor(
    private readonly repository: Pick<WebhookDeliveryRepository, 'keys'>,
    private readonly secrets: Pick<SealedSecrets, 'knows'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const unknown = (await this.repository.keys()).filter((key) => !this.secrets.knows(key));
    const count = unknown.reduce((sum, key) => sum + key.count, 0);
    if (count === 0) return;
    this.logger.error(
      `The signing secrets of ${count} webhooks cannot be read: the key that they are encrypted with is not among ` +
        '`secretKeys` (`SECRET_KEY`). Nothing is sent to them until it is there again, or their secrets are rotated.',
    );
  }
}
