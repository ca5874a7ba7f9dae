import type { Permission } from '../../shared/callers/caller.js';
import { optional, required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { repeated } from '../../shared/validation/repeated.js';
import { lacking, line, oneOf } from '../../shared/validation/rule.js';

const PERMISSIONS: readonly Permission[] = ['full_access', 'sending_access'];

/** The body of `POST /api-keys`. */
export const newApiKey = new Fields({
  name: required(line(50)),
  permission: optional(
    oneOf(PERMISSIONS, `must be one of ${PERMISSIONS.map((permission) => `\`${permission}\``).join(', ')}`),
  ),
  domain_id: optional(lacking('domains')),
});

/** The body of `PATCH /api-keys/:id`. */
export const apiKeyChanges = new Fields({
  name: optional(line(50)),
  id: optional(repeated),
  api_key_id: optional(repeated),
});
