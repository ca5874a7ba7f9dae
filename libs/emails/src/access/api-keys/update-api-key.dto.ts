import { IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsLine, IsRepeated } from '../../shared/validation/rules.js';
import { ACCESS_LIMITS } from '../limits.js';

/** The body of `PATCH /api-keys/:id`. */
export class UpdateApiKeyDto {
  @Field()
  @IsOptional()
  @IsLine(ACCESS_LIMITS.apiKeyName.max)
  name?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  api_key_id?: string | undefined;
}
