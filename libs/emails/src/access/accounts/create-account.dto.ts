import { Field } from '../../shared/validation/field.js';
import { IsLine } from '../../shared/validation/rules.js';
import { ACCESS_LIMITS } from '../limits.js';

/** An account that is to be made. */
export class CreateAccountDto {
  @Field()
  @IsLine(ACCESS_LIMITS.accountName.max)
  name!: string;
}
