import { Field } from '../../shared/validation/field.js';
import { IsAddress } from '../../shared/validation/mailbox-rule.js';

/** The body of `POST /erasures`. */
export class CreateErasureDto {
  @Field({ description: 'Of the person.' })
  @IsAddress()
  email!: string;
}
