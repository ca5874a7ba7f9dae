export type { FeatureExtras } from '../shared/features/feature.options.js';
export { AccessModule } from './access.module.js';
export { accessOpenApi } from './access.openapi.js';
export type { AccessExtras, AccessOptions, RateLimitOptions } from './access.options.js';
export { AccountExistsError } from './accounts/account-exists.error.js';
export { AccountsService, type NewAccount } from './accounts/accounts.service.js';
export {
  type ApiKeyChanges,
  type ApiKeyRecord,
  ApiKeysService,
  type ApiKeyValues,
  type NewApiKey,
} from './api-keys/api-keys.service.js';
export { ApiKeyGuard } from './auth/api-key.guard.js';
export { ApiKeyResolver } from './auth/api-key-resolver.js';
export { FailedKeysService } from './auth/failed-keys.service.js';
export { generateToken, TOKEN_PATTERN } from './auth/token.js';
export { accessEntities } from './entities.js';
export { accessMigrations } from './migrations/index.js';
export { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
