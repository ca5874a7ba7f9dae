import { OperatorAccountCountEntity } from './bad-hours/operator-account-count.entity.js';
import { OperatorCountEntity } from './bad-hours/operator-count.entity.js';
import { OperatorHoldEntity } from './bad-hours/operator-hold.entity.js';
import { OperatorMailboxEntity } from './bad-hours/operator-mailbox.entity.js';
import { HookTokenEntity } from './hooks/hook-token.entity.js';
import { EmailReferenceEntity } from './incoming/email-reference.entity.js';
import { ReputationEntity } from './reputation/reputation.entity.js';
import { ErasureKeyEntity } from './suppressions/erasure-key.entity.js';
import { SoftBounceEntity } from './suppressions/soft-bounce.entity.js';
import { SuppressionEntity } from './suppressions/suppression.entity.js';
import { SuppressionCandidateEntity } from './suppressions/suppression-candidate.entity.js';

/** Every entity of the feature, for the host's data source. */
export const feedbackEntities: (new () => object)[] = [
  SuppressionEntity,
  SoftBounceEntity,
  ErasureKeyEntity,
  EmailReferenceEntity,
  HookTokenEntity,
  ReputationEntity,
  SuppressionCandidateEntity,
  OperatorCountEntity,
  OperatorAccountCountEntity,
  OperatorMailboxEntity,
  OperatorHoldEntity,
];
