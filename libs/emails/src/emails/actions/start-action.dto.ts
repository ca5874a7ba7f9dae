import { IsOptional } from 'class-validator';
import { uuid } from '../../shared/openapi/shapes.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { Field } from '../../shared/validation/field.js';
import { passes, ruleDecorator } from '../../shared/validation/rule.js';
import { IsUuid } from '../../shared/validation/rules.js';
import { EMAIL_LIMITS } from '../limits.js';
import { type EmailFilterObject, IsEmailFilter } from '../read/filter-object.js';

/** Operations on many emails: those of `POST /emails/:id/cancel`, `/retry` and `/resend`. */
export const EMAIL_ACTIONS = ['cancel', 'retry', 'resend'] as const;
/** The operation of an action on each of its emails. */
export type EmailAction = (typeof EMAIL_ACTIONS)[number];

const MAX_IDS = EMAIL_LIMITS.actionIds.max;
const MAX_EMAILS = EMAIL_LIMITS.actionEmails.max;

const IsEmailAction = () =>
  ruleDecorator(
    'isEmailAction',
    passes((value) => EMAIL_ACTIONS.some((action) => action === value), `must be one of: ${EMAIL_ACTIONS.join(', ')}`),
    { enum: [...EMAIL_ACTIONS] },
  );

const AreEmailIds = () =>
  ruleDecorator(
    'areEmailIds',
    passes(
      (value) => Array.isArray(value) && value.length <= MAX_IDS && value.every(isUuid),
      `must be an array of 1 to ${MAX_IDS} ids of emails`,
    ),
    { type: 'array', items: uuid, minItems: 1, maxItems: MAX_IDS },
  );

const IsActionLimit = () =>
  ruleDecorator(
    'isActionLimit',
    passes(
      (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_EMAILS,
      `must be a whole number from 1 to ${MAX_EMAILS}`,
    ),
    { type: 'integer', minimum: 1, maximum: MAX_EMAILS },
  );

/** Body of `POST /emails/actions`. */
export class StartActionDto {
  @Field({ description: 'As the operation of this name on one email.' })
  @IsEmailAction()
  action!: EmailAction;

  @Field({ description: 'The emails. Not with `filter`.' })
  @IsOptional()
  @AreEmailIds()
  ids?: readonly string[] | null | undefined;

  @Field({ description: 'All emails that match the query of `GET /emails` with these parameters; `{}`: all emails.' })
  @IsOptional()
  @IsEmailFilter()
  filter?: EmailFilterObject | null | undefined;

  @Field({ description: 'The newest email that may be among them. Default: the newest of the account.' })
  @IsOptional()
  @IsUuid('must be the id of an email')
  before?: string | null | undefined;

  @Field({ description: 'If there are more emails, the action is refused.', schema: { default: MAX_EMAILS } })
  @IsOptional()
  @IsActionLimit()
  limit?: number | null | undefined;
}
