import { constant } from '../openapi/shapes.js';
import type { Dto } from '../validation/dto-fields.js';
import { AnswerField } from '../validation/field.js';
import type { ListEnvelope } from './page.js';

/** The class of a page of objects on the wire (contract, section 3). @param item their class */
export function ListOf<T extends object>(item: Dto<T>): Dto<ListEnvelope<T>> {
  class ListDto implements ListEnvelope<T> {
    @AnswerField({ schema: constant('list') })
    object!: 'list';

    @AnswerField({ schema: { type: 'boolean' }, description: 'More exist in the direction of travel.' })
    has_more!: boolean;

    @AnswerField({ each: item })
    data!: T[];
  }
  return ListDto;
}
