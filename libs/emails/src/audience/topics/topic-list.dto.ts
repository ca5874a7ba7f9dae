import { ListOf } from '../../shared/rows/list.dto.js';
import { TopicDto } from './topic.dto.js';

/** A page of topics. */
export class TopicListDto extends ListOf(TopicDto) {}
