import { Field } from '../../../shared/validation/field.js';
import { IsTextUpTo } from '../../../shared/validation/rules.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { IsTemplateVariables } from './is-template-variables.js';

/** The published template of an email. */
export class TemplateDto {
  @Field({ description: 'Its id or alias.' })
  @IsTextUpTo(EMAIL_LIMITS.templateKey.max, 'must be the id or alias of a published template')
  id!: string;

  @Field({ default: () => ({}) })
  @IsTemplateVariables()
  variables!: Record<string, string | number>;
}
