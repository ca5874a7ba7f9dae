import { IsOptional, IsUUID } from 'class-validator';
import { IsFixed } from '../../shared/validation/is-fixed.decorator.js';
import { IsLine } from '../../shared/validation/is-line.decorator.js';
import { IsText } from '../../shared/validation/is-text.decorator.js';

/** The body of `PATCH /topics/:id`. */
export class UpdateTopicDto {
  /** Sent by the official client; the topic that the path names. */
  @IsOptional()
  @IsUUID('all', { message: 'must be the id in the path, or absent' })
  id?: string | null;

  @IsOptional()
  @IsLine(50)
  name?: string | null;

  /** Null empties it. */
  @IsOptional()
  @IsText(200)
  description?: string | null;

  @IsOptional()
  @IsFixed()
  default_subscription?: unknown;
}
