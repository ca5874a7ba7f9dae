import { IsOptional } from 'class-validator';
import { IsLine } from '../../shared/validation/is-line.decorator.js';
import { IsText } from '../../shared/validation/is-text.decorator.js';
import { IsSubscription } from './is-subscription.decorator.js';
import type { Subscription } from './subscription.js';

/** The body of `POST /topics`. */
export class CreateTopicDto {
  @IsLine(50)
  name!: string;

  @IsOptional()
  @IsText(200)
  description?: string | null;

  @IsSubscription()
  default_subscription!: Subscription;
}
