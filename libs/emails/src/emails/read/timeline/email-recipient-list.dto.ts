import { ListOf } from '../../../shared/rows/list.dto.js';
import { EmailRecipientDto } from './email-recipient.dto.js';

/** All recipients of an email. */
export class EmailRecipientListDto extends ListOf(EmailRecipientDto) {}
