export type { FeatureExtras, FeatureFactory, FeatureSettings } from '../shared/features/feature.options.js';
export { access } from './access.feature.js';
export type { AccessOptions, RateLimitOptions } from './access.options.js';
export { AccountEntity } from './accounts/account.entity.js';
export { AccountExistsError } from './accounts/account-exists.error.js';
export { AccountsService, type NewAccount } from './accounts/accounts.service.js';
export { ApiKeyDto } from './api-keys/api-key.dto.js';
export { ApiKeyEntity } from './api-keys/api-key.entity.js';
export { ApiKeyListDto } from './api-keys/api-key-list.dto.js';
export { ApiKeysRepository } from './api-keys/api-keys.repository.js';
export {
  type ApiKeyChanges,
  ApiKeysService,
  type ApiKeyValues,
  type CreateApiKeyOptions,
} from './api-keys/api-keys.service.js';
export { CreateApiKeyDto, type KeyRole } from './api-keys/create-api-key.dto.js';
export { NewApiKeyDto } from './api-keys/new-api-key.dto.js';
export { UpdateApiKeyDto } from './api-keys/update-api-key.dto.js';
export { ApiKeyGuard } from './auth/api-key.guard.js';
export { ApiKeyResolver } from './auth/api-key-resolver.js';
export { FailedKeysService } from './auth/failed-keys.service.js';
export { generateToken, TOKEN_PATTERN } from './auth/token.js';
export { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
