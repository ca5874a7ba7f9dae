import { ContactEntity } from './contacts/contact.entity.js';
import { TopicChoiceEntity } from './contacts/topic-choice.entity.js';
import { TopicEntity } from './topics/topic.entity.js';

/** Every entity of the module, for the host's `TypeOrmModule`. */
export const audienceEntities: (new () => object)[] = [TopicEntity, ContactEntity, TopicChoiceEntity];
