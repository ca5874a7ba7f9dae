export type { FeatureExtras, FeatureOptions } from '../shared/features/feature.options.js';
export { AudienceModule } from './audience.module.js';
export { audienceOpenApi } from './audience.openapi.js';
export { ContactEraser } from './contacts/contact-eraser.js';
export type { ContactPropertyRecord, ContactPropertyRecords, PropertyChanges } from './contacts/contact-properties.js';
export { ContactTopicPolicy } from './contacts/contact-topic-policy.js';
export {
  type ContactDetails,
  type ContactRecord,
  ContactsService,
  type NewContact,
} from './contacts/contacts.service.js';
export type { TopicChoice } from './contacts/read-topic-choices.js';
export { type ChosenTopics, type ContactTopicRecord, TopicChoicesService } from './contacts/topic-choices.service.js';
export { audienceEntities } from './entities.js';
export { audienceMigrations } from './migrations/index.js';
export type { Subscription } from './topics/subscription.js';
export { type NewTopic, type TopicChanges, type TopicRecord, TopicsService } from './topics/topics.service.js';
export type { Visibility } from './topics/visibility.js';
