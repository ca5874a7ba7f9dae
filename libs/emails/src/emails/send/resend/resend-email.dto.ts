import { IsOptional } from 'class-validator';
import { LIMITS } from '../../../shared/limits.js';
import { Field } from '../../../shared/validation/field.js';
import { IsMailboxList } from '../request/is-mailbox.js';
import { IsScheduledAt } from '../request/is-scheduled-at.js';

/** Limit of `to`, `cc` and `bcc` together. */
const MAX_RECIPIENTS = 3 * LIMITS.mailboxes.max;

/** Fields of a resend; the content comes from the email (contract, section 4.2). */
export class ResendEmailDto {
  @Field({
    listsOne: true,
    default: () => [],
    description: 'Recipients of the email. Absent: those that it has not reached.',
  })
  @IsMailboxList(MAX_RECIPIENTS)
  recipients!: string[];

  @Field()
  @IsOptional()
  @IsScheduledAt()
  scheduled_at?: string | undefined;
}
