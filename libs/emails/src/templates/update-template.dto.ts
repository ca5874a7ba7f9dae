import { IsOptional } from 'class-validator';
import { IsLine } from '../shared/validation/is-line.decorator.js';
import { TemplateContentDto } from './template-content.dto.js';

/** The body of `PATCH /templates/:id_or_alias`. Null empties every field but the name. */
export class UpdateTemplateDto extends TemplateContentDto {
  @IsOptional()
  @IsLine(255)
  name?: string | null;
}
