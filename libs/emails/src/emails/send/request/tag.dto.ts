import { Matches } from 'class-validator';
import { Field } from '../../../shared/validation/field.js';
import { says } from '../../../shared/validation/sentence.js';
import { EMAIL_LIMITS } from '../../limits.js';

const NAME = new RegExp(`^[A-Za-z0-9_-]{1,${EMAIL_LIMITS.tagText.max}}$`);
const VALUE = new RegExp(`^[A-Za-z0-9_-]{0,${EMAIL_LIMITS.tagText.max}}$`);

/** A name and a value to search emails by. */
export class TagDto {
  @Field()
  @Matches(NAME, says(`must have 1 to ${EMAIL_LIMITS.tagText.max} characters of \`A-Z a-z 0-9 _ -\``))
  name!: string;

  @Field({ default: () => '', schema: { type: ['string', 'null'] } })
  @Matches(VALUE, says(`must have up to ${EMAIL_LIMITS.tagText.max} characters of \`A-Z a-z 0-9 _ -\``))
  value!: string;
}
