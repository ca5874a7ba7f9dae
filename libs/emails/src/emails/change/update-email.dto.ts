import { IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsRepeated } from '../../shared/validation/rules.js';
import { IsScheduledAt } from '../send/request/is-scheduled-at.js';

/** The body of `PATCH /emails/:id`. */
export class UpdateEmailDto {
  @Field()
  @IsScheduledAt()
  scheduled_at!: string;

  @Field()
  @IsOptional()
  @IsRepeated()
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  email_id?: string | undefined;
}
