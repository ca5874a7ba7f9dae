import type { Provider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CORE_OPTIONS, type CoreOptions } from '../../shared/features/feature.js';
import { UnsubscribePreview } from '../../shared/features/unsubscribe-preview.js';
import { SecretKeys } from '../../shared/keys/secret-keys.js';
import type { AudienceOptions } from '../audience.options.js';
import { ReaderChoices } from './choices/reader-choices.js';
import { PageWriter } from './http/page-writer.js';
import { PagePreview } from './page/page-preview.js';
import { TopicUnsubscribeLinks } from './topic-unsubscribe-links.js';
import { UNSUBSCRIBE_OPTIONS } from './unsubscribe.options.js';
import { UnsubscribeTokens } from './unsubscribe-tokens.js';

/**
 * Providers of unsubscribe links. Without links, no token is valid and the port is taken back.
 *
 * @param token of the feature's options
 */
export function unsubscribeProviders(token: symbol): Provider[] {
  return [
    {
      provide: UNSUBSCRIBE_OPTIONS,
      inject: [token],
      useFactory: ({ unsubscribe }: AudienceOptions) => unsubscribe || {},
    },
    {
      provide: UnsubscribeTokens,
      inject: [token, SecretKeys],
      useFactory: ({ unsubscribe }: AudienceOptions, keys: SecretKeys) =>
        new UnsubscribeTokens(unsubscribe === false ? new SecretKeys([]) : keys),
    },
    {
      provide: TopicUnsubscribeLinks,
      inject: [token, UnsubscribeTokens, ReaderChoices, HttpAdapterHost, { token: CORE_OPTIONS, optional: true }],
      useFactory: (
        { unsubscribe }: AudienceOptions,
        tokens: UnsubscribeTokens,
        choices: ReaderChoices,
        adapterHost: HttpAdapterHost,
        core?: CoreOptions,
      ) =>
        unsubscribe === false ? undefined : new TopicUnsubscribeLinks(tokens, choices, adapterHost, core?.publicUrl),
    },
    {
      provide: UnsubscribePreview,
      inject: [token, ReaderChoices, PageWriter],
      useFactory: ({ unsubscribe }: AudienceOptions, choices: ReaderChoices, pages: PageWriter) =>
        unsubscribe === false ? undefined : new PagePreview(choices, pages),
    },
    ReaderChoices,
    PageWriter,
  ];
}
