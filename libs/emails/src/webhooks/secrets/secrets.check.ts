import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import { SealedSecrets } from './sealed-secrets.js';

/** Warns at the start about unreadable signing secrets: nothing is sent to their webhooks. */
@Injectable()
export class SecretsCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger(SecretsCheck.name);

  constructor(
    @Inject(WebhookDeliveryRepository) private readonly repository: Pick<WebhookDeliveryRepository, 'keys'>,
    @Inject(SealedSecrets) private readonly secrets: Pick<SealedSecrets, 'knows'>,
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
