import { IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsRepeated } from '../../shared/validation/rules.js';
import { ContactDetailsDto } from './contact-details.dto.js';

/** The body of `PATCH /contacts/:id_or_email`. An address and the choices made for it belong together: neither changes. */
export class UpdateContactDto extends ContactDetailsDto {
  @Field()
  @IsOptional()
  @IsRepeated()
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  contact_id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  email?: string | undefined;
}
