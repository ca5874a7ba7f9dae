import { timestamp, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { EMAIL_LIMITS } from '../limits.js';
import { ActionRefusalDto } from './action-refusal.dto.js';
import { EMAIL_ACTIONS, type EmailAction } from './start-action.dto.js';
import { StartedActionDto } from './started-action.dto.js';

/** An action on many emails, and its progress. */
export class EmailActionDto extends StartedActionDto {
  @AnswerField({ schema: words([...EMAIL_ACTIONS]) })
  action!: EmailAction;

  @AnswerField({ schema: words(['running', 'completed']) })
  status!: 'running' | 'completed';

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: { type: 'integer' }, description: 'Number of emails to act on.' })
  matched!: number;

  @AnswerField({
    schema: { type: 'integer' },
    description: 'Number of emails on which it acted. Completed, `matched` − `done` were refused.',
  })
  done!: number;

  @AnswerField({ each: ActionRefusalDto, description: `The first ${EMAIL_LIMITS.actionRefusals.max} refusals.` })
  refused!: ActionRefusalDto[];
}
