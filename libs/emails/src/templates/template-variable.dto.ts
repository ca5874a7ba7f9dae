import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsFallback } from './is-fallback.decorator.js';

/** An entry of `variables`. */
export class TemplateVariableDto {
  @Matches(/^[A-Za-z0-9_]{1,50}$/, { message: 'must have 1 to 50 letters, digits and underscores' })
  key!: string;

  @IsIn(['string', 'number'], { message: 'must be `string` or `number`' })
  type!: 'string' | 'number';

  /** Absent: every email must give a value. */
  @IsOptional()
  @IsFallback()
  fallback_value?: string | number;
}
