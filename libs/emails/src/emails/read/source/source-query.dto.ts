import { IsOptional } from 'class-validator';
import { Field } from '../../../shared/validation/field.js';
import { IsRecipient } from '../is-recipient.js';

/** Which message of an email `GET /emails/:id/source` shows (contract, section 3.2). */
export class SourceQueryDto {
  @Field({
    description:
      'The message to this envelope address, in any letter case, where each recipient gets a message of its own. Default: the ' +
      'first recipient.',
  })
  @IsOptional()
  @IsRecipient()
  recipient?: string | undefined;
}
