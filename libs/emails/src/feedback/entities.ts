import { ErasureKeyEntity } from './suppressions/erasure-key.entity.js';
import { SoftBounceEntity } from './suppressions/soft-bounce.entity.js';
import { SuppressionEntity } from './suppressions/suppression.entity.js';

/** Every entity of the module, for the host's `TypeOrmModule`. */
export const feedbackEntities: (new () => object)[] = [SuppressionEntity, SoftBounceEntity, ErasureKeyEntity];
