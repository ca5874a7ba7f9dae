import type { MigrationInterface } from 'typeorm';
import { WebhooksCreate1764800005000 } from './1764800005000-webhooks-create.js';

/** Every migration of the module, for the host's data source. */
export const webhooksMigrations: (new () => MigrationInterface)[] = [WebhooksCreate1764800005000];
