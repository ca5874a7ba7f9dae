import { ListOf } from '../../shared/rows/list.dto.js';
import { ContactTopicDto } from './contact-topic.dto.js';

/** A page of a contact's choices. */
export class ContactTopicListDto extends ListOf(ContactTopicDto) {}
