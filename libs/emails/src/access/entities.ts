import { AccountEntity } from './accounts/account.entity.js';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';

/** Every entity of the module, for the host's `TypeOrmModule`. */
export const accessEntities: (new () => object)[] = [AccountEntity, ApiKeyEntity];
