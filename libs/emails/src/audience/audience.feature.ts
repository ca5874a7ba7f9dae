import type { EmailsFeature } from '../index.js';
import type { FeatureExtras } from '../shared/features/feature.options.js';
import { featureExtras } from '../shared/features/feature-settings.js';
import { audienceOpenApi } from './audience.openapi.js';
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

const SERVICES = [TopicsService, TopicChoicesService, ContactsService, ContactTopicPolicy, ContactEraser];

/** Topics, contacts and their choices: `/topics`, `/contacts`, the topic policy, and a person eraser. */
export function audience(extras: FeatureExtras = {}): EmailsFeature {
  return {
    name: 'audience',
    controllers: [TopicsController, ContactsController, ContactTopicsController],
    providers: [...SERVICES, TopicsRepository, ContactsRepository],
    exports: SERVICES,
    entities: audienceEntities,
    migrations: audienceMigrations,
    openApi: audienceOpenApi,
    topicPolicy: ContactTopicPolicy,
    personErasers: [ContactEraser],
    ...featureExtras('audience', extras),
  };
}
