import { IsArray, IsBoolean, IsOptional } from 'class-validator';
import { IsLine } from '../../shared/validation/is-line.decorator.js';
import { IsAddress } from './is-address.decorator.js';

/** The body of `POST /contacts`. */
export class CreateContactDto {
  @IsAddress()
  email!: string;

  @IsOptional()
  @IsLine(255)
  first_name?: string;

  @IsOptional()
  @IsLine(255)
  last_name?: string;

  /** Default: false. */
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  unsubscribed?: boolean;

  /** Choices to start with, as the official client sends them; read by `readTopicChoices`. */
  @IsOptional()
  @IsArray({ message: 'must be an array of `{id, subscription}`' })
  topics?: unknown[];
}
