import { IsOptional } from 'class-validator';
import { Field } from '../shared/validation/field.js';
import { IsLine, IsRepeated } from '../shared/validation/rules.js';
import { IsTemplateText } from './is-template-text.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { TemplateContentDto } from './template-content.dto.js';

/** The body of `PATCH /templates/:id_or_alias`. Null clears every field but the name. */
export class UpdateTemplateDto extends TemplateContentDto {
  @Field()
  @IsOptional()
  @IsLine(TEMPLATE_LIMITS.name.max)
  name?: string | undefined;

  @Field({ nullable: true })
  @IsOptional()
  @IsTemplateText()
  text?: string | null | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  template_id?: string | undefined;
}
