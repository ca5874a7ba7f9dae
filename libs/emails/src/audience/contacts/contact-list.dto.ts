import { ListOf } from '../../shared/rows/list.dto.js';
import { ContactDto } from './contact.dto.js';

/** A page of contacts. */
export class ContactListDto extends ListOf(ContactDto) {}
