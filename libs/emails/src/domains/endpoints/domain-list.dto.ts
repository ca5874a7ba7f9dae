import { ListOf } from '../../shared/rows/list.dto.js';
import { ListedDomainDto } from './listed-domain.dto.js';

/** A page of domains. */
export class DomainListDto extends ListOf(ListedDomainDto) {}
