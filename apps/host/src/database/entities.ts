import { AccountEntity } from '../access/entities/account.entity.js';
import { ApiKeyEntity } from '../access/entities/api-key.entity.js';
import { ContactEntity } from '../audience/contacts/contact.entity.js';
import { TopicChoiceEntity } from '../audience/contacts/topic-choice.entity.js';
import { TopicEntity } from '../audience/topics/topic.entity.js';
import { TemplateEntity } from '../templates/template.entity.js';

/** Every entity of the host. */
export const hostEntities = [
  AccountEntity,
  ApiKeyEntity,
  TopicEntity,
  ContactEntity,
  TopicChoiceEntity,
  TemplateEntity,
];
