import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EmailsFeature } from '../index.js';
import { ALARMS, type Alarms } from '../shared/alarms/alarms.js';
import type { FeatureSettings } from '../shared/features/feature.options.js';
import { featureSettings } from '../shared/features/feature-settings.js';
import { secretKeysProviders } from '../shared/features/secret-keys-providers.js';
import { SecretKeys } from '../shared/keys/secret-keys.js';
import { callback, flag, list, type Rules, secret, text } from '../shared/options/rules.js';
import { FeedbackAlarms } from './alarms/feedback-alarms.js';
import { BadHours } from './bad-hours/bad-hours.js';
import { OperatorCounter } from './bad-hours/operator-counter.js';
import { OperatorsRepository } from './bad-hours/operators.repository.js';
import { BounceNotice } from './bounce-notice.js';
import { feedbackEntities } from './entities.js';
import { feedbackOpenApi } from './feedback.openapi.js';
import type { FeedbackOptions } from './feedback.options.js';
import { FEEDBACK_OPTIONS } from './feedback.tokens.js';
import { HooksController } from './hooks/hooks.controller.js';
import { hookProviders } from './hooks/hooks.providers.js';
import { hooksRule } from './hooks/hooks.rule.js';
import { EmailReferenceSubscription } from './incoming/email-reference.subscription.js';
import { EmailReferences } from './incoming/email-references.js';
import { IncomingReportsService } from './incoming/incoming-reports.service.js';
import { FeedbackListener } from './listener/feedback-listener.js';
import { listenerRule } from './listener/listener.options.js';
import { ReportIntake } from './listener/report-intake.js';
import { ReportThread } from './listener/report-thread.js';
import { UnmatchedReports } from './listener/unmatched-reports.js';
import { UnsubscribeMails } from './listener/unsubscribe-mails.js';
import { feedbackMigrations } from './migrations/index.js';
import { reputationRule } from './reputation/reputation.rule.js';
import { ReputationWatch } from './reputation/reputation-watch.js';
import { ReputationsRepository } from './reputation/reputations.repository.js';
import { RETURN_PATH_RULES } from './return-path/return-path.options.js';
import { ReturnPathStage } from './return-path/return-path.stage.js';
import { ReturnPathTokens } from './return-path/return-path-tokens.js';
import { UnsubscribeAddresses } from './return-path/unsubscribe-addresses.js';
import { BounceCounts } from './suppressions/bounce-counts.js';
import { CandidatesRepository } from './suppressions/candidates.repository.js';
import { ErasedForm } from './suppressions/erased-form.js';
import { SoftBouncesRepository } from './suppressions/soft-bounces.repository.js';
import { SuppressingSubscription } from './suppressions/suppressing.subscription.js';
import { SuppressionEraser } from './suppressions/suppression-eraser.js';
import { SuppressionHousekeeping } from './suppressions/suppression-housekeeping.js';
import { SuppressionIntake } from './suppressions/suppression-intake.js';
import { SuppressionList } from './suppressions/suppression-list.js';
import { SuppressionsController } from './suppressions/suppressions.controller.js';
import { SuppressionsRepository } from './suppressions/suppressions.repository.js';
import { SuppressionsService } from './suppressions/suppressions.service.js';

const GIVEN = Symbol('nestjs-emails feedback given options');

const RULES: Rules<FeedbackOptions> = {
  softBounces: flag,
  isSuppressed: callback,
  onReputation: reputationRule,
  exemptAccounts: list(text),
  secretKeys: list(secret),
  ...RETURN_PATH_RULES,
  listener: listenerRule,
  hooks: hooksRule,
};

const MADE_OF_OPTIONS: Provider[] = [
  ...secretKeysProviders(GIVEN, FEEDBACK_OPTIONS),
  {
    provide: ReturnPathTokens,
    inject: [SecretKeys],
    useFactory: (keys: SecretKeys) => new ReturnPathTokens(keys),
  },
  {
    provide: UnsubscribeAddresses,
    inject: [FEEDBACK_OPTIONS, SecretKeys],
    useFactory: ({ listener, bounceDomain }: FeedbackOptions, keys: SecretKeys) =>
      listener && bounceDomain !== undefined ? new UnsubscribeAddresses(bounceDomain, keys) : undefined,
  },
  {
    // Only relays' reports use these names.
    provide: EmailReferenceSubscription,
    inject: [FEEDBACK_OPTIONS, EmailReferences],
    useFactory: (options: FeedbackOptions, references: EmailReferences) =>
      Object.keys(options.hooks ?? {}).length > 0 ? new EmailReferenceSubscription(references) : undefined,
  },
  {
    provide: UnmatchedReports,
    inject: [FEEDBACK_OPTIONS, DataSource, { token: ALARMS, optional: true }],
    useFactory: ({ listener }: FeedbackOptions, dataSource: DataSource, alarms?: Alarms) =>
      listener?.feedbackAddresses?.length ? new UnmatchedReports(dataSource, alarms) : undefined,
  },
];

const SERVICES = [
  SuppressionsService,
  SuppressionList,
  SuppressingSubscription,
  SuppressionEraser,
  IncomingReportsService,
];

/**
 * Feedback: the suppression list with `/suppressions`, the return path of each message, the SMTP listener for reports, and
 * the hooks of relays.
 */
export function feedback(settings: FeatureSettings<FeedbackOptions> = {}): EmailsFeature {
  const { provider, ...rest } = featureSettings('feedback', GIVEN, RULES, settings);
  return {
    name: 'feedback',
    controllers: [SuppressionsController],
    openControllers: [HooksController],
    providers: [
      provider,
      ...MADE_OF_OPTIONS,
      ...SERVICES,
      ErasedForm,
      SuppressionsRepository,
      SoftBouncesRepository,
      ReputationsRepository,
      OperatorsRepository,
      OperatorCounter,
      BounceNotice,
      CandidatesRepository,
      SuppressionIntake,
      BounceCounts,
      ReturnPathStage,
      EmailReferences,
      ...hookProviders(FEEDBACK_OPTIONS),
    ],
    workers: [
      { provide: ReportThread, useFactory: () => new ReportThread() },
      ReportIntake,
      UnsubscribeMails,
      FeedbackListener,
      SuppressionHousekeeping,
      FeedbackAlarms,
      BadHours,
      ReputationWatch,
    ],
    housekeeping: [SuppressionHousekeeping],
    exports: SERVICES,
    entities: feedbackEntities,
    migrations: feedbackMigrations,
    openApi: feedbackOpenApi,
    recipientPolicies: [SuppressionList],
    messageStages: [ReturnPathStage],
    unsubscribeMailbox: UnsubscribeAddresses,
    eventSubscriptions: [SuppressingSubscription, EmailReferenceSubscription],
    personErasers: [SuppressionEraser],
    alarmSources: [UnmatchedReports],
    observers: [OperatorCounter],
    ...rest,
  };
}
