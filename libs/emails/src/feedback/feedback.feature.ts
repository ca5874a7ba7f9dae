import type { Provider } from '@nestjs/common';
import type { EmailsFeature } from '../index.js';
import { CORE_OPTIONS, type CoreOptions } from '../shared/features/feature.js';
import type { FeatureSettings } from '../shared/features/feature.options.js';
import { featureSettings } from '../shared/features/feature-settings.js';
import { SecretKeys } from '../shared/keys/secret-keys.js';
import { flag, list, type Rules, secret } from '../shared/options/rules.js';
import { feedbackEntities } from './entities.js';
import { feedbackOpenApi } from './feedback.openapi.js';
import type { FeedbackOptions } from './feedback.options.js';
import { FEEDBACK_OPTIONS } from './feedback.tokens.js';
import { feedbackMigrations } from './migrations/index.js';
import { ErasedForm } from './suppressions/erased-form.js';
import { SoftBouncesRepository } from './suppressions/soft-bounces.repository.js';
import { SuppressingSubscription } from './suppressions/suppressing.subscription.js';
import { SuppressionEraser } from './suppressions/suppression-eraser.js';
import { SuppressionHousekeeping } from './suppressions/suppression-housekeeping.js';
import { SuppressionList } from './suppressions/suppression-list.js';
import { SuppressionsController } from './suppressions/suppressions.controller.js';
import { SuppressionsRepository } from './suppressions/suppressions.repository.js';
import { SuppressionsService } from './suppressions/suppressions.service.js';

const GIVEN = Symbol('nestjs-emails feedback given options');

const RULES: Rules<FeedbackOptions> = { softBounces: flag, secretKeys: list(secret) };

const MADE_OF_OPTIONS: Provider[] = [
  {
    provide: FEEDBACK_OPTIONS,
    inject: [GIVEN, { token: CORE_OPTIONS, optional: true }],
    useFactory: (given?: FeedbackOptions, core?: CoreOptions): FeedbackOptions => ({
      ...given,
      secretKeys: given?.secretKeys ?? core?.secretKeys ?? [],
    }),
  },
  {
    provide: SecretKeys,
    inject: [FEEDBACK_OPTIONS],
    useFactory: ({ secretKeys }: FeedbackOptions) => new SecretKeys(secretKeys ?? []),
  },
];

const SERVICES = [SuppressionsService, SuppressionList, SuppressingSubscription, SuppressionEraser];

/**
 * Feedback about addresses: `/suppressions`, the suppression list as a recipient policy, and an event subscription that adds to it. It
 * is a person eraser.
 */
export function feedback(settings: FeatureSettings<FeedbackOptions> = {}): EmailsFeature {
  const { provider, ...rest } = featureSettings('feedback', GIVEN, RULES, settings);
  return {
    name: 'feedback',
    controllers: [SuppressionsController],
    providers: [provider, ...MADE_OF_OPTIONS, ...SERVICES, ErasedForm, SuppressionsRepository, SoftBouncesRepository],
    workers: [SuppressionHousekeeping],
    housekeeping: [SuppressionHousekeeping],
    exports: SERVICES,
    entities: feedbackEntities,
    migrations: feedbackMigrations,
    openApi: feedbackOpenApi,
    recipientPolicies: [SuppressionList],
    eventSubscriptions: [SuppressingSubscription],
    personErasers: [SuppressionEraser],
    ...rest,
  };
}
