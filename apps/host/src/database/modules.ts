import { emailsEntities, emailsMigrations } from 'nestjs-emails';
import { accessEntities, accessMigrations } from 'nestjs-emails/access';
import { audienceEntities, audienceMigrations } from 'nestjs-emails/audience';
import { templatesEntities, templatesMigrations } from 'nestjs-emails/templates';
import { webhooksEntities, webhooksMigrations } from 'nestjs-emails/webhooks';
import { hostMigrations } from './migrations/index.js';

/** Every entity of the modules that this host composes; it has none of its own. */
export const entities = [
  ...emailsEntities,
  ...accessEntities,
  ...audienceEntities,
  ...templatesEntities,
  ...webhooksEntities,
];

/** Every migration, the host's and those of the modules. They run in the order of the time in their names. */
export const migrations = [
  ...emailsMigrations,
  ...hostMigrations,
  ...accessMigrations,
  ...audienceMigrations,
  ...templatesMigrations,
  ...webhooksMigrations,
];
