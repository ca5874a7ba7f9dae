import { ConfigurableModuleBuilder, Inject, Module, Optional, type Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { composeFeature, EXTRAS_RULES } from '../shared/features/feature-module.js';
import { SecretKeys } from '../shared/keys/secret-keys.js';
import { AddressBlocks } from '../shared/net/address-blocks.js';
import { EndpointClient } from '../shared/net/endpoint-client.js';
import { EndpointPolicy } from '../shared/net/endpoint-policy.js';
import {
  accountResolverRule,
  COMPOSED,
  checkedProviders,
  guardsRule,
  type ModuleRules,
  needOptions,
  refuseBare,
  requiredAccountResolver,
  requiredGuards,
} from '../shared/options/module-options.js';
import { LONGEST_TIMER, milliseconds } from '../shared/options/number-rules.js';
import { both, list, port, type Rule, secret, text } from '../shared/options/rules.js';
import { accountResolverOf, hasRoutes } from '../shared/routes/mounted.js';
import { WebhookEraser } from './deliver/webhook-eraser.js';
import { WebhookLogCleaner } from './deliver/webhook-log-cleaner.js';
import { WebhookSubscription } from './deliver/webhook-subscription.js';
import { WebhookWorkers } from './deliver/webhook-workers.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { WebhooksService } from './endpoints/webhooks.service.js';
import { WebhookEventsController } from './log/webhook-events.controller.js';
import { WebhookEventsService } from './log/webhook-events.service.js';
import { webhooksMigrations } from './migrations/index.js';
import { SealedSecrets } from './secrets/sealed-secrets.js';
import { SecretsCheck } from './secrets/secrets.check.js';
import { WebhookDeliveryRepository } from './storage/delivery.repository.js';
import { WebhookMessages } from './storage/webhook-messages.js';
import type { WebhooksExtras, WebhooksOptions } from './webhooks.options.js';
import { WebhooksBacklog } from './webhooks-backlog.service.js';

const OPTIONS = Symbol('nestjs-emails webhooks options');
const DAY = 86_400_000;
const LONGEST_AGE = 36_500 * DAY;

const block: Rule = both(text, (path, value) => {
  try {
    new AddressBlocks([value as string]);
    return [];
  } catch {
    return [`\`${path}\` must be a CIDR block such as 10.0.0.0/8 or fd00::/8`];
  }
});

function rulesOf({ role, routes }: WebhooksExtras): ModuleRules<WebhooksOptions, WebhooksExtras> {
  const servesHttp = hasRoutes(role, routes);
  return {
    module: 'WebhooksModule',
    token: OPTIONS,
    options: {
      accountResolver: servesHttp ? requiredAccountResolver : accountResolverRule,
      secretKeys: list(secret),
      allowPrivate: list(block),
      observer: port('an observer', [], ['attempted', 'disabled']),
      retrySchedule: list(milliseconds(1, LONGEST_AGE)),
      timeout: milliseconds(1, LONGEST_TIMER),
      logRetention: milliseconds(1, LONGEST_AGE),
    },
    extras: { ...EXTRAS_RULES, guards: servesHttp ? requiredGuards : guardsRule },
    mayBeNone: !servesHttp,
  };
}

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<WebhooksOptions>({ optionsInjectionToken: OPTIONS })
  .setClassMethodName('forRoot')
  .setExtras<WebhooksExtras>({}, (definition, extras) => {
    const { role = 'all', guards = [] } = extras;
    const feature = {
      name: 'WebhooksModule',
      controllers: [WebhookEventsController, WebhooksController],
      services,
      migrations: webhooksMigrations,
      guards,
      ofRoutes: [accountResolverOf(OPTIONS)],
    };
    const providers = [
      ...checkedProviders(rulesOf(extras), definition, extras),
      ...inner,
      ...(role === 'api' ? [] : worker),
    ];
    return composeFeature(feature, extras, { ...definition, providers });
  })
  .build();
needOptions('WebhooksModule', ConfigurableModuleClass);

/**
 * Webhooks: `/webhooks`, and the requests to them. Import it with `forRoot` or `forRootAsync`, beside `TypeOrmModule` (with
 * `webhooksEntities` and `webhooksMigrations`), and give `WebhookSubscription` and `WebhookEraser` to `EmailsModule`, which
 * tells it what happens.
 */
@Module({})
export class WebhooksModule extends ConfigurableModuleClass {
  /** @internal Made by Nest. */
  constructor(@Optional() @Inject(COMPOSED) composed?: true) {
    super();
    refuseBare('WebhooksModule', composed);
  }
}

const inner: Provider[] = [
  {
    provide: SealedSecrets,
    inject: [OPTIONS],
    useFactory: (options?: WebhooksOptions) => new SealedSecrets(new SecretKeys(options?.secretKeys ?? [])),
  },
  {
    provide: EndpointPolicy,
    inject: [OPTIONS],
    useFactory: ({ allowPrivate = [] }: WebhooksOptions = {}) => new EndpointPolicy(allowPrivate),
  },
  {
    provide: WebhookDeliveryRepository,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new WebhookDeliveryRepository(dataSource),
  },
  {
    provide: SecretsCheck,
    inject: [WebhookDeliveryRepository, SealedSecrets],
    useFactory: (repository: WebhookDeliveryRepository, secrets: SealedSecrets) =>
      new SecretsCheck(repository, secrets),
  },
];

const WORKERS = { token: WebhookWorkers, optional: true };

const services: Provider[] = [
  {
    provide: WebhooksService,
    inject: [DataSource, SealedSecrets, EndpointPolicy],
    useFactory: (dataSource: DataSource, secrets: SealedSecrets, policy: EndpointPolicy) =>
      new WebhooksService(dataSource, secrets, policy),
  },
  {
    provide: WebhookEventsService,
    inject: [DataSource, WORKERS],
    useFactory: (dataSource: DataSource, workers?: WebhookWorkers) =>
      new WebhookEventsService(dataSource, () => workers?.wake()),
  },
  {
    provide: WebhookSubscription,
    inject: [WebhookDeliveryRepository, WORKERS],
    useFactory: (repository: WebhookDeliveryRepository, workers?: WebhookWorkers) =>
      new WebhookSubscription(repository, () => workers?.wake()),
  },
  {
    provide: WebhookEraser,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new WebhookEraser(dataSource),
  },
  {
    provide: WebhooksBacklog,
    inject: [WebhookDeliveryRepository],
    useFactory: (repository: WebhookDeliveryRepository) => new WebhooksBacklog(repository),
  },
];

const worker: Provider[] = [
  {
    provide: EndpointClient,
    inject: [OPTIONS],
    useFactory: ({ allowPrivate = [], timeout }: WebhooksOptions = {}) =>
      new EndpointClient({ allowPrivate, ...(timeout !== undefined && { timeout }) }),
  },
  {
    provide: WebhookMessages,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new WebhookMessages(dataSource),
  },
  {
    provide: WebhookWorkers,
    inject: [OPTIONS, WebhookDeliveryRepository, WebhookMessages, SealedSecrets, EndpointClient],
    useFactory: (
      options: WebhooksOptions | undefined,
      repository: WebhookDeliveryRepository,
      messages: WebhookMessages,
      secrets: SealedSecrets,
      client: EndpointClient,
    ) => new WebhookWorkers(repository, messages, secrets, client, { ...options }),
  },
  {
    provide: WebhookLogCleaner,
    inject: [OPTIONS, WebhookDeliveryRepository],
    useFactory: (options: WebhooksOptions | undefined, repository: WebhookDeliveryRepository) =>
      new WebhookLogCleaner(repository, options?.logRetention ?? 30 * DAY),
  },
];
