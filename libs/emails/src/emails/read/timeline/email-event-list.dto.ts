import { ListOf } from '../../../shared/rows/list.dto.js';
import { EmailEventDto } from './email-event.dto.js';

/** A page of an email's events. */
export class EmailEventListDto extends ListOf(EmailEventDto) {}
