import type { Provider } from '@nestjs/common';
import type { EmailsFeature } from '../index.js';
import type { FeatureSettings } from '../shared/features/feature.options.js';
import { featureSettings } from '../shared/features/feature-settings.js';
import { secretKeysProviders } from '../shared/features/secret-keys-providers.js';
import { LONGEST_TIMER, milliseconds } from '../shared/options/number-rules.js';
import { both, list, port, type Rule, type Rules, secret, text } from '../shared/options/rules.js';
import { WebhookEraser } from './deliver/webhook-eraser.js';
import { WebhookLogCleaner } from './deliver/webhook-log-cleaner.js';
import { WebhookSubscription } from './deliver/webhook-subscription.js';
import { WebhookWorkers } from './deliver/webhook-workers.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { WebhooksRepository } from './endpoints/webhooks.repository.js';
import { WebhooksService } from './endpoints/webhooks.service.js';
import { webhooksEntities } from './entities.js';
import { WebhookEventsController } from './log/webhook-events.controller.js';
import { WebhookEventsService } from './log/webhook-events.service.js';
import { WebhookLogController } from './log/webhook-log.controller.js';
import { webhooksMigrations } from './migrations/index.js';
import { AddressBlocks } from './net/address-blocks.js';
import { EndpointClient } from './net/endpoint-client.js';
import { EndpointPolicy } from './net/endpoint-policy.js';
import { SealedSecrets } from './secrets/sealed-secrets.js';
import { SecretsCheck } from './secrets/secrets.check.js';
import { WebhookDeliveryRepository } from './storage/delivery.repository.js';
import { WebhookMessages } from './storage/webhook-messages.js';
import { webhooksOpenApi } from './webhooks.openapi.js';
import type { WebhooksOptions } from './webhooks.options.js';
import { WAKE, WEBHOOKS_OPTIONS } from './webhooks.tokens.js';
import { WebhooksBacklog } from './webhooks-backlog.service.js';

const GIVEN = Symbol('nestjs-emails webhooks given options');
const LONGEST_AGE = 36_500 * 86_400_000;

const block: Rule = both(text, (path, value) => {
  try {
    new AddressBlocks([value as string]);
    return [];
  } catch {
    return [`\`${path}\` must be a CIDR block such as 10.0.0.0/8 or fd00::/8`];
  }
});

const RULES: Rules<WebhooksOptions> = {
  secretKeys: list(secret),
  allowPrivate: list(block),
  observer: port('an observer', [], ['attempted', 'disabled']),
  retrySchedule: list(milliseconds(1, LONGEST_AGE)),
  timeout: milliseconds(1, LONGEST_TIMER),
  logRetention: milliseconds(1, LONGEST_AGE),
};

const MADE_OF_OPTIONS: Provider[] = [
  ...secretKeysProviders(GIVEN, WEBHOOKS_OPTIONS),
  {
    provide: EndpointPolicy,
    inject: [WEBHOOKS_OPTIONS],
    useFactory: ({ allowPrivate = [] }: WebhooksOptions) => new EndpointPolicy(allowPrivate),
  },
  {
    provide: WAKE,
    inject: [{ token: WebhookWorkers, optional: true }],
    useFactory: (workers?: WebhookWorkers) => () => workers?.wake(),
  },
];

const CLIENT: Provider = {
  provide: EndpointClient,
  inject: [WEBHOOKS_OPTIONS],
  useFactory: ({ allowPrivate = [], timeout }: WebhooksOptions) =>
    new EndpointClient({ allowPrivate, ...(timeout !== undefined && { timeout }) }),
};

const SERVICES = [WebhooksService, WebhookEventsService, WebhookSubscription, WebhookEraser, WebhooksBacklog];

/** Webhooks: `/webhooks`, and the requests to them. An event subscription feeds it; it is a person eraser. */
export function webhooks(settings: FeatureSettings<WebhooksOptions> = {}): EmailsFeature {
  const { provider, ...rest } = featureSettings('webhooks', GIVEN, RULES, settings);
  return {
    name: 'webhooks',
    controllers: [WebhookEventsController, WebhookLogController, WebhooksController],
    providers: [
      provider,
      ...MADE_OF_OPTIONS,
      ...SERVICES,
      SealedSecrets,
      SecretsCheck,
      WebhooksRepository,
      WebhookDeliveryRepository,
    ],
    workers: [CLIENT, WebhookMessages, WebhookWorkers, WebhookLogCleaner],
    housekeeping: [WebhookLogCleaner],
    exports: SERVICES,
    entities: webhooksEntities,
    migrations: webhooksMigrations,
    openApi: webhooksOpenApi,
    eventSubscriptions: [WebhookSubscription],
    personErasers: [WebhookEraser],
    metrics: [WebhooksBacklog],
    ...rest,
  };
}
