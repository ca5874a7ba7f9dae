import type { Redis } from 'ioredis';
import { access } from 'nestjs-emails/access';
import { audience } from 'nestjs-emails/audience';
import { domains } from 'nestjs-emails/domains';
import { feedback } from 'nestjs-emails/feedback';
import { templates } from 'nestjs-emails/templates';
import { webhooks } from 'nestjs-emails/webhooks';
import { Secrets, SecretsModule } from './secrets.module.js';
import { settings } from './settings.js';

const secrets = {
  imports: [SecretsModule],
  inject: [Secrets],
  useFactory: ({ keys }: Secrets) => ({ secretKeys: keys }),
};

/**
 * Requests with a key reach the routes of all of them.
 *
 * @param redis counts requests. Migrations need none, and would not end with an open connection
 */
export const features = (redis?: Redis) => [
  access({ rateLimit: { perSecond: settings.rateLimit, ...(redis && { redis }) } }),
  audience(),
  domains(secrets),
  feedback(),
  templates(),
  webhooks(secrets),
];
