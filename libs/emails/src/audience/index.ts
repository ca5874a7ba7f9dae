export type { FeatureExtras, FeatureFactory, FeatureSettings } from '../shared/features/feature.options.js';
export type { Given, GivenValue } from '../shared/validation/given.js';
export { audience } from './audience.feature.js';
export type { AudienceOptions } from './audience.options.js';
export { ChosenTopicsDto } from './contacts/chosen-topics.dto.js';
export { ContactDto } from './contacts/contact.dto.js';
export { ContactEntity } from './contacts/contact.entity.js';
export { ContactEraser } from './contacts/contact-eraser.js';
export { ContactListDto } from './contacts/contact-list.dto.js';
export type {
  ContactProperties,
  ContactPropertyRecord,
  ContactPropertyRecords,
  PropertyChanges,
} from './contacts/contact-properties.js';
export { ContactTopicDto } from './contacts/contact-topic.dto.js';
export { ContactTopicListDto } from './contacts/contact-topic-list.dto.js';
export { ContactTopicPolicy } from './contacts/contact-topic-policy.js';
export { ContactsRepository } from './contacts/contacts.repository.js';
export { type ContactChanges, ContactsService, type NewContact } from './contacts/contacts.service.js';
export { CreateContactDto } from './contacts/create-contact.dto.js';
export { ListContactsQueryDto } from './contacts/list-contacts-query.dto.js';
export { SetContactTopicsDto } from './contacts/set-contact-topics.dto.js';
export { TopicChoiceDto } from './contacts/topic-choice.dto.js';
export { TopicChoiceEntity } from './contacts/topic-choice.entity.js';
export { TopicChoicesService } from './contacts/topic-choices.service.js';
export { UpdateContactDto } from './contacts/update-contact.dto.js';
export { CreateTopicDto } from './topics/create-topic.dto.js';
export type { Subscription } from './topics/subscription.js';
export { TopicDto } from './topics/topic.dto.js';
export { TopicEntity } from './topics/topic.entity.js';
export { TopicListDto } from './topics/topic-list.dto.js';
export { TopicsRepository } from './topics/topics.repository.js';
export { type NewTopic, type TopicChanges, TopicsService } from './topics/topics.service.js';
export { UpdateTopicDto } from './topics/update-topic.dto.js';
export type { Visibility } from './topics/visibility.js';
export type { ReaderState, ReaderTopic } from './unsubscribe/choices/reader-topic.js';
export type {
  PageLanguage,
  ReaderChange,
  UnsubscribePage,
  UnsubscribePageData,
} from './unsubscribe/page/unsubscribe-page.js';
export { ENGLISH as ENGLISH_UNSUBSCRIBE_TEXTS, type UnsubscribeTexts } from './unsubscribe/page/unsubscribe-texts.js';
export type { UnsubscribeOptions } from './unsubscribe/unsubscribe.options.js';
