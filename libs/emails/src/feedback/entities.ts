import { HookTokenEntity } from './hooks/hook-token.entity.js';
import { EmailReferenceEntity } from './incoming/email-reference.entity.js';

/** Every entity of the feature, for the host's data source. */
export const feedbackEntities: (new () => object)[] = [EmailReferenceEntity, HookTokenEntity];
