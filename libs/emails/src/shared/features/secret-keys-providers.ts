import type { InjectionToken, Provider } from '@nestjs/common';
import { SecretKeys } from '../keys/secret-keys.js';
import { CORE_OPTIONS, type CoreOptions } from './feature.js';

interface HasSecretKeys {
  secretKeys?: readonly string[];
}

/**
 * Provides options of a feature with secrets, which are the core's unless it has its own, and the keys derived from them.
 *
 * @param given token of the options that the feature's caller gave
 * @param token of those that its providers get
 */
export function secretKeysProviders(given: InjectionToken, token: InjectionToken): Provider[] {
  return [
    {
      provide: token,
      inject: [given, { token: CORE_OPTIONS, optional: true }],
      useFactory: (options?: HasSecretKeys, core?: CoreOptions): HasSecretKeys => ({
        ...options,
        secretKeys: options?.secretKeys ?? core?.secretKeys ?? [],
      }),
    },
    {
      provide: SecretKeys,
      inject: [token],
      useFactory: ({ secretKeys = [] }: HasSecretKeys) => new SecretKeys(secretKeys),
    },
  ];
}
