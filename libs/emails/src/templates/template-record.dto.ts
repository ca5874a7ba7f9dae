import { LIMITS } from '../shared/limits.js';
import {
  constant,
  mailboxes,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
  uuid,
  words,
} from '../shared/openapi/shapes.js';
import { AnswerField } from '../shared/validation/field.js';
import { ShownVariableDto } from './shown-variable.dto.js';

/** A template in an answer: its draft, also after a version was published. */
export class TemplateRecordDto {
  @AnswerField({ schema: constant('template') })
  object!: 'template';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: text })
  name!: string;

  @AnswerField({ schema: textOrNull })
  alias!: string | null;

  @AnswerField({
    schema: words(['draft', 'published']),
    description: '`published`: some version is, and `has_unpublished_versions` says whether the draft differs from it.',
  })
  status!: 'draft' | 'published';

  @AnswerField({ schema: textOrNull })
  from!: string | null;

  @AnswerField({ schema: textOrNull })
  subject!: string | null;

  @AnswerField({ schema: mailboxes })
  reply_to!: string[];

  @AnswerField({ schema: textOrNull })
  html!: string | null;

  @AnswerField({ schema: textOrNull })
  text!: string | null;

  @AnswerField({ each: ShownVariableDto, max: LIMITS.variables.max })
  variables!: ShownVariableDto[];

  @AnswerField({
    schema: { type: 'boolean' },
    description: 'Emails of this template are sensitive unless they say otherwise.',
  })
  sensitive!: boolean;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: timestamp })
  updated_at!: string;

  @AnswerField({ schema: timestampOrNull })
  published_at!: string | null;

  @AnswerField({ schema: uuid, description: 'Changes with every change of the content.' })
  current_version_id!: string;

  @AnswerField({
    schema: { type: 'boolean' },
    description: 'The draft differs from the published version; true also before the first publication.',
  })
  has_unpublished_versions!: boolean;
}
