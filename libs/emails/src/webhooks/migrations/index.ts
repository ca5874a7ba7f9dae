import type { MigrationInterface } from 'typeorm';
import { ExpandWebhooks1764500002000 } from './1764500002000-expand-webhooks.js';
import { ExpandWebhookOrder1764600002000 } from './1764600002000-expand-webhook-order.js';
import { ExpandWebhookPayloads1764700011000 } from './1764700011000-expand-webhook-payloads.js';

/** Every migration of the module, for the host's data source. */
export const webhooksMigrations: (new () => MigrationInterface)[] = [
  ExpandWebhooks1764500002000,
  ExpandWebhookOrder1764600002000,
  ExpandWebhookPayloads1764700011000,
];
