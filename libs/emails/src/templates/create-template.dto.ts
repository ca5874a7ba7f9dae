import { IsOptional } from 'class-validator';
import { Field } from '../shared/validation/field.js';
import { IsLine } from '../shared/validation/rules.js';
import { IsTemplateText } from './is-template-text.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { TemplateContentDto } from './template-content.dto.js';

/** The body of `POST /templates`. */
export class CreateTemplateDto extends TemplateContentDto {
  @Field()
  @IsLine(TEMPLATE_LIMITS.name.max)
  name!: string;

  @Field({ nullable: true, keepsEmpty: true, description: 'Absent: derived from `html`. Empty: no text part.' })
  @IsOptional()
  @IsTemplateText()
  text?: string | null | undefined;
}
