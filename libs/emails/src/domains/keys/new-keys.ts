import { Inject, Injectable } from '@nestjs/common';
import type { DomainEntity } from '../storage/domain.entity.js';
import type { DomainKeyEntity, KeyAlgorithm } from '../storage/domain-key.entity.js';
import { type KeyPair, KeyPairs } from './key-pairs.js';
import { SealedKeys } from './sealed-keys.js';

/** Pairs by their algorithm, before they have a place. */
export type NewPairs = ReadonlyMap<KeyAlgorithm, KeyPair>;

type Generation = Pick<DomainEntity, 'generation' | 'selectorMonth' | 'selectorCount'>;
type NewKey = Pick<
  DomainKeyEntity,
  'domainId' | 'selector' | 'algorithm' | 'generation' | 'publicKey' | 'keyId' | 'sealed'
>;

/** Makes the keys of a domain. */
@Injectable()
export class NewKeys {
  constructor(
    @Inject(KeyPairs) private readonly pairs: Pick<KeyPairs, 'make'>,
    @Inject(SealedKeys) private readonly sealedKeys: Pick<SealedKeys, 'requireSecret' | 'seal'>,
  ) {}

  /** Makes pairs, which takes up to seconds. @throws ApiError 422 without a secret */
  async make(accountId: string, algorithms: readonly KeyAlgorithm[]): Promise<NewPairs> {
    this.sealedKeys.requireSecret();
    const made = new Map<KeyAlgorithm, KeyPair>();
    for (const algorithm of new Set(algorithms)) made.set(algorithm, await this.pairs.make(accountId, algorithm));
    return made;
  }

  /** The pairs as keys of the next generation of a domain. */
  place(domainId: string, { generation, selectorMonth, selectorCount }: Generation, pairs: NewPairs): NewKey[] {
    return [...pairs].map(([algorithm, { publicKey, privateKey }]) => {
      const selector = selectorOf(selectorMonth ?? '', selectorCount, algorithm);
      const sealed = this.sealedKeys.seal({ domainId, selector }, privateKey);
      return { domainId, selector, algorithm, generation, publicKey, ...sealed };
    });
  }
}

/**
 * The generation after a domain's newest. Selectors name the month, and from the second of a month on a number: a selector
 * is never used twice, because resolvers may still have its old key.
 */
export function nextGeneration(domain: Generation, now = new Date()): Generation {
  const selectorMonth = now.toISOString().slice(2, 7).replace('-', '');
  const isSameMonth = domain.selectorMonth === selectorMonth;
  return {
    generation: domain.generation + 1,
    selectorMonth,
    selectorCount: isSameMonth ? domain.selectorCount + 1 : 1,
  };
}

/** `s2611r`, then `s2611r2`; `s2611e` for Ed25519. */
function selectorOf(month: string, count: number, algorithm: KeyAlgorithm): string {
  return `s${month}${algorithm === 'rsa' ? 'r' : 'e'}${count > 1 ? count : ''}`;
}
