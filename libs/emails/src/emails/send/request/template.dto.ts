import { IsString, Length } from 'class-validator';
import { IsTemplateVariables } from './validation/is-template-variables.js';

export class TemplateDto {
  @IsString({ message: 'must be the id or alias of a published template' })
  @Length(1, 255, { message: 'must be the id or alias of a published template' })
  id!: string;

  @IsTemplateVariables()
  variables: Record<string, string | number> = {};
}
