import { Field } from '../../shared/validation/field.js';
import { IsAddress } from '../../shared/validation/mailbox-rule.js';

/** The body of `POST /suppressions`. */
export class AddSuppressionDto {
  @Field({ description: 'One address without a name.' })
  @IsAddress()
  email!: string;
}
