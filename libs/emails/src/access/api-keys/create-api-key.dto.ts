import { IsIn, IsOptional } from 'class-validator';
import type { Permission } from '../../shared/callers/caller.js';
import type { PageRole } from '../../shared/callers/page-roles.js';
import { Field } from '../../shared/validation/field.js';
import { IsLine, IsUuid } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';
import { ACCESS_LIMITS } from '../limits.js';

/** Permissions that a key may have. */
export const PERMISSIONS: readonly Permission[] = ['full_access', 'sending_access'];
const KEY_ROLES: readonly KeyRole[] = ['viewer', 'support'];
const oneOf = (words: readonly string[]) => `must be one of ${words.map((word) => `\`${word}\``).join(', ')}`;

/** Roles that a key of the page may have. A key with `full_access` is an `admin` there. */
export type KeyRole = Exclude<PageRole, 'admin'>;

/** The body of `POST /api-keys`. */
export class CreateApiKeyDto {
  @Field()
  @IsLine(ACCESS_LIMITS.apiKeyName.max)
  name!: string;

  @Field({ schema: { default: 'full_access' } })
  @IsOptional()
  @IsIn(PERMISSIONS, says(oneOf(PERMISSIONS)))
  permission?: Permission | undefined;

  @Field({
    description: 'For a key that opens the page alone: the role of its sessions. Not with `permission`.',
  })
  @IsOptional()
  @IsIn(KEY_ROLES, says(oneOf(KEY_ROLES)))
  page_role?: KeyRole | undefined;

  @Field({
    description: 'The only domain that it may send from, by its id. With `sending_access` alone. Default: any.',
  })
  @IsOptional()
  @IsUuid('must be the id of a domain')
  domain_id?: string | undefined;
}
