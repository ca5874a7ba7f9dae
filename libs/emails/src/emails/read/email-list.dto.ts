import { ListOf } from '../../shared/rows/list.dto.js';
import { EmailDto } from './email.dto.js';

/** A page of emails. */
export class EmailListDto extends ListOf(EmailDto) {}
