import { IsIn, IsOptional } from 'class-validator';
import type { Permission } from '../../shared/callers/caller.js';
import { Field } from '../../shared/validation/field.js';
import { IsLacking, IsLine } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';
import { ACCESS_LIMITS } from '../limits.js';

/** Permissions that a key may have. */
export const PERMISSIONS: readonly Permission[] = ['full_access', 'sending_access'];
const EXPECTED = `must be one of ${PERMISSIONS.map((permission) => `\`${permission}\``).join(', ')}`;

/** The body of `POST /api-keys`. */
export class CreateApiKeyDto {
  @Field()
  @IsLine(ACCESS_LIMITS.apiKeyName.max)
  name!: string;

  @Field({ schema: { default: 'full_access' } })
  @IsOptional()
  @IsIn(PERMISSIONS, says(EXPECTED))
  permission?: Permission | undefined;

  @Field()
  @IsOptional()
  @IsLacking('domains')
  domain_id?: undefined;
}
