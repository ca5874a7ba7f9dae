import type { EmailsFeature } from '../index.js';
import type { FeatureSettings } from '../shared/features/feature.options.js';
import { featureSettings } from '../shared/features/feature-settings.js';
import { secretKeysProviders } from '../shared/features/secret-keys-providers.js';
import { audienceOpenApi } from './audience.openapi.js';
import { AUDIENCE_RULES, type AudienceOptions } from './audience.options.js';
import { ContactEraser } from './contacts/contact-eraser.js';
import { ContactTopicPolicy } from './contacts/contact-topic-policy.js';
import { ContactTopicsController } from './contacts/contact-topics.controller.js';
import { ContactsController } from './contacts/contacts.controller.js';
import { ContactsRepository } from './contacts/contacts.repository.js';
import { ContactsService } from './contacts/contacts.service.js';
import { TopicChoicesService } from './contacts/topic-choices.service.js';
import { audienceEntities } from './entities.js';
import { audienceMigrations } from './migrations/index.js';
import { TopicsController } from './topics/topics.controller.js';
import { TopicsRepository } from './topics/topics.repository.js';
import { TopicsService } from './topics/topics.service.js';
import { UnsubscribeController } from './unsubscribe/http/unsubscribe.controller.js';
import { TopicUnsubscribeLinks } from './unsubscribe/topic-unsubscribe-links.js';
import { unsubscribeProviders } from './unsubscribe/unsubscribe.providers.js';

const GIVEN = Symbol('nestjs-emails audience given options');
const OPTIONS = Symbol('nestjs-emails audience options');

const SERVICES = [TopicsService, TopicChoicesService, ContactsService, ContactTopicPolicy, ContactEraser];

/**
 * Topics, contacts and their choices: `/topics`, `/contacts`, the topic policy, unsubscribe links with their page, and a
 * person eraser.
 */
export function audience(settings: FeatureSettings<AudienceOptions> = {}): EmailsFeature {
  const { provider, ...rest } = featureSettings('audience', GIVEN, AUDIENCE_RULES, settings);
  return {
    name: 'audience',
    controllers: [TopicsController, ContactsController, ContactTopicsController],
    openControllers: [UnsubscribeController],
    providers: [
      provider,
      ...secretKeysProviders(GIVEN, OPTIONS),
      ...SERVICES,
      TopicsRepository,
      ContactsRepository,
      ...unsubscribeProviders(OPTIONS),
    ],
    exports: SERVICES,
    entities: audienceEntities,
    migrations: audienceMigrations,
    openApi: audienceOpenApi,
    topicPolicy: ContactTopicPolicy,
    unsubscribeLinks: TopicUnsubscribeLinks,
    personErasers: [ContactEraser],
    ...rest,
  };
}
