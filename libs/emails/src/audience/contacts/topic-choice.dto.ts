import { IsUUID } from 'class-validator';
import { IsSubscription } from '../topics/is-subscription.decorator.js';
import type { Subscription } from '../topics/subscription.js';

/** An entry of `topics`. */
export class TopicChoiceDto {
  @IsUUID('all', { message: 'must be the id of a topic' })
  id!: string;

  @IsSubscription()
  subscription!: Subscription;
}
