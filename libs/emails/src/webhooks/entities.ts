import { WebhookEntity } from './endpoints/webhook.entity.js';

/** Every entity of the module, for the host's `TypeOrmModule`. */
export const webhooksEntities: (new () => object)[] = [WebhookEntity];
