import { ListOf } from '../../../shared/rows/list.dto.js';
import { ActionDto } from './action.dto.js';

/** A page of actions. */
export class ActionListDto extends ListOf(ActionDto) {}
