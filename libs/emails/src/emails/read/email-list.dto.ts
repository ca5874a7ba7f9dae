import { ListOf } from '../../shared/rows/list.dto.js';
import { ListedEmailDto } from './listed-email.dto.js';

/** A page of emails. */
export class EmailListDto extends ListOf(ListedEmailDto) {}
