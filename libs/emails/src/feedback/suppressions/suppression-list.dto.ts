import { ListOf } from '../../shared/rows/list.dto.js';
import { ListedSuppressionDto } from './listed-suppression.dto.js';

/** A page of suppressions. */
export class SuppressionListDto extends ListOf(ListedSuppressionDto) {}
