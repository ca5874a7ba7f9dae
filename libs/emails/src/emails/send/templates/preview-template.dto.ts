import { Field } from '../../../shared/validation/field.js';
import { IsTemplateVariables } from '../request/is-template-variables.js';

/** The values with which a template is previewed. */
export class PreviewTemplateDto {
  @Field({ default: () => ({}) })
  @IsTemplateVariables()
  variables!: Record<string, string | number>;
}
