import { ListOf } from '../shared/rows/list.dto.js';
import { TemplateRecordDto } from './template-record.dto.js';

/** A page of templates. */
export class TemplateListDto extends ListOf(TemplateRecordDto) {}
