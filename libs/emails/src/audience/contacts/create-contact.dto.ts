import { IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsAddress } from '../../shared/validation/mailbox-rule.js';
import { ContactDetailsDto } from './contact-details.dto.js';
import { TOPIC_CHOICES, type TopicChoiceDto } from './topic-choice.dto.js';

/** The body of `POST /contacts`. */
export class CreateContactDto extends ContactDetailsDto {
  @Field({ description: 'One address without a name.' })
  @IsAddress()
  email!: string;

  @Field({ ...TOPIC_CHOICES, description: 'Choices to add.' })
  @IsOptional()
  topics?: TopicChoiceDto[] | undefined;
}
