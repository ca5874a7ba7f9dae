import { IsBoolean, IsOptional } from 'class-validator';
import { IsFixed } from '../../shared/validation/is-fixed.decorator.js';
import { IsLine } from '../../shared/validation/is-line.decorator.js';

/** The body of `PATCH /contacts/:id_or_email`. Null empties a name. */
export class UpdateContactDto {
  @IsOptional()
  @IsLine(255)
  first_name?: string | null;

  @IsOptional()
  @IsLine(255)
  last_name?: string | null;

  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  unsubscribed?: boolean | null;

  /** An address and the choices made for it belong together: another address is another contact. */
  @IsOptional()
  @IsFixed()
  email?: unknown;
}
