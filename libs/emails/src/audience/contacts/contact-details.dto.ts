import { IsBoolean, IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsLacking, IsLine } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';
import { AUDIENCE_LIMITS } from '../limits.js';
import { AreProperties, type PropertyChanges, plainProperties } from './contact-properties.js';

/** Fields of a contact, on creation and on change. Null clears a name, and all properties. */
export class ContactDetailsDto {
  @Field({ nullable: true })
  @IsOptional()
  @IsLine(AUDIENCE_LIMITS.personName.max)
  first_name?: string | null | undefined;

  @Field({ nullable: true })
  @IsOptional()
  @IsLine(AUDIENCE_LIMITS.personName.max)
  last_name?: string | null | undefined;

  @Field()
  @IsOptional()
  @IsBoolean(says('must be true or false'))
  unsubscribed?: boolean | undefined;

  @Field({
    nullable: true,
    reads: plainProperties,
    description: 'A change keeps the properties that it does not name; null removes one.',
  })
  @IsOptional()
  @AreProperties()
  properties?: PropertyChanges | null | undefined;

  @Field()
  @IsOptional()
  @IsLacking('segments')
  audience_id?: undefined;

  @Field()
  @IsOptional()
  @IsLacking('segments')
  segment_id?: undefined;

  @Field()
  @IsOptional()
  @IsLacking('segments')
  segments?: undefined;
}
