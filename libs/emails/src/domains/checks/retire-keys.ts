import type { DomainKeyEntity } from '../storage/domain-key.entity.js';

type Key = Pick<DomainKeyEntity, 'algorithm' | 'generation' | 'verifiedAt' | 'retiredAt' | 'selector'>;

/**
 * The keys that a newer one replaces: one of the same algorithm, or any if the newer generations have none of it. A newer key
 * counts once its record was verified.
 */
export function replacedKeys<K extends Key>(keys: readonly K[]): K[] {
  return keys.filter(({ algorithm, generation, retiredAt }) => {
    const newer = keys.filter((key) => key.generation > generation);
    const alike = newer.filter((key) => key.algorithm === algorithm);
    return retiredAt === null && (alike.length > 0 ? alike : newer).some(({ verifiedAt }) => verifiedAt !== null);
  });
}
