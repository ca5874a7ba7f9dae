import { IsIn, IsOptional } from 'class-validator';
import type { Permission } from '../../shared/callers/caller.js';
import { IsLine } from '../../shared/validation/is-line.decorator.js';

const PERMISSIONS = ['full_access', 'sending_access'] as const satisfies readonly Permission[];

/** The body of `POST /api-keys`. */
export class CreateApiKeyDto {
  @IsLine(50)
  name!: string;

  /** Default: `full_access`. */
  @IsOptional()
  @IsIn(PERMISSIONS, { message: `must be one of ${PERMISSIONS.map((permission) => `\`${permission}\``).join(', ')}` })
  permission?: Permission;
}
