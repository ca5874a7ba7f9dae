import { IsArray } from 'class-validator';

/** The body of `PATCH /contacts/:id_or_email/topics`, when it is an object. */
export class TopicChoicesDto {
  @IsArray({ message: 'must be an array of `{id, subscription}`' })
  topics!: unknown[];
}
