import { AccountEntity } from '../accounts/account.entity.js';
import { ApiKeyEntity } from '../api-keys/api-key.entity.js';
import { ContactEntity } from '../contacts/contact.entity.js';
import { TopicChoiceEntity } from '../contacts/topic-choice.entity.js';
import { TemplateEntity } from '../templates/template.entity.js';
import { TopicEntity } from '../topics/topic.entity.js';

/** Every entity of the host. */
export const hostEntities = [
  AccountEntity,
  ApiKeyEntity,
  TopicEntity,
  ContactEntity,
  TopicChoiceEntity,
  TemplateEntity,
];
