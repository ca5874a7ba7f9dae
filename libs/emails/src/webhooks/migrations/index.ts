import type { MigrationInterface } from 'typeorm';
import { WebhooksCreate1764500002000 } from './1764500002000-webhooks-create.js';

/** Every migration of the module, for the host's data source. */
export const webhooksMigrations: (new () => MigrationInterface)[] = [WebhooksCreate1764500002000];
