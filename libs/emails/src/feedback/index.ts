export type { FeatureExtras, FeatureFactory, FeatureSettings } from '../shared/features/feature.options.js';
export type { Given, GivenValue } from '../shared/validation/given.js';
export { OperatorCountEntity } from './bad-hours/operator-count.entity.js';
export { OperatorHoldEntity } from './bad-hours/operator-hold.entity.js';
export { feedback } from './feedback.feature.js';
export type { FeedbackOptions } from './feedback.options.js';
export { HookTokenEntity } from './hooks/hook-token.entity.js';
export type { HooksOptions } from './hooks/hooks.options.js';
export { EmailReferenceEntity } from './incoming/email-reference.entity.js';
export type { IncomingReport } from './incoming/incoming-report.js';
export { IncomingReportsService, type IncomingResult } from './incoming/incoming-reports.service.js';
export { FeedbackListener } from './listener/feedback-listener.js';
export type { ListenerOptions } from './listener/listener.options.js';
export { readReport } from './reports/read-report.js';
export type { Report } from './reports/report.js';
export type { OnReputation } from './reputation/judge-reputation.js';
export { ReputationEntity } from './reputation/reputation.entity.js';
export type { AccountReputation, ReputationRates, ReputationVerdict } from './reputation/reputation-rates.js';
export type { ReputationBucket } from './reputation/reputation-ring.js';
export type { RelayName } from './return-path/relay-headers.js';
export type { ReturnPathOptions } from './return-path/return-path.options.js';
export { AddSuppressionDto } from './suppressions/add-suppression.dto.js';
export { AddSuppressionsDto } from './suppressions/add-suppressions.dto.js';
export { AddedSuppressionDto } from './suppressions/added-suppression.dto.js';
export { AddedSuppressionsDto } from './suppressions/added-suppressions.dto.js';
export { ErasureKeyEntity } from './suppressions/erasure-key.entity.js';
export { ListSuppressionsQueryDto } from './suppressions/list-suppressions-query.dto.js';
export { ListedSuppressionDto } from './suppressions/listed-suppression.dto.js';
export { RemoveSuppressionsDto } from './suppressions/remove-suppressions.dto.js';
export { RemovedSuppressionDto } from './suppressions/removed-suppression.dto.js';
export { RemovedSuppressionsDto } from './suppressions/removed-suppressions.dto.js';
export { SoftBounceEntity } from './suppressions/soft-bounce.entity.js';
export { SuppressingSubscription } from './suppressions/suppressing.subscription.js';
export { SuppressionDto } from './suppressions/suppression.dto.js';
export { SuppressionEntity } from './suppressions/suppression.entity.js';
export { SuppressionCandidateEntity } from './suppressions/suppression-candidate.entity.js';
export { SuppressionEraser } from './suppressions/suppression-eraser.js';
export { SuppressionListDto } from './suppressions/suppression-list.dto.js';
export { SuppressionList } from './suppressions/suppression-list.js';
export { SUPPRESSION_ORIGINS, type SuppressionOrigin } from './suppressions/suppression-origin.js';
export {
  type NewSuppressedAddress,
  type NewSuppressedAddresses,
  SuppressionsService,
  type SuppressionsToRemove,
  type SuppressionsToUndo,
} from './suppressions/suppressions.service.js';
export { UndoSuppressionsDto } from './suppressions/undo-suppressions.dto.js';
export { UndoneSuppressionsDto } from './suppressions/undone-suppressions.dto.js';
