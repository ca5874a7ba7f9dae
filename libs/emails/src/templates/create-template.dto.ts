import { IsLine } from '../shared/validation/is-line.decorator.js';
import { TemplateContentDto } from './template-content.dto.js';

/** The body of `POST /templates`. */
export class CreateTemplateDto extends TemplateContentDto {
  @IsLine(255)
  name!: string;
}
