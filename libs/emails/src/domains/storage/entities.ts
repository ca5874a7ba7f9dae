import { SigningFaultEntity } from '../signing/faults/signing-fault.entity.js';
import { DomainEntity } from './domain.entity.js';
import { DomainKeyEntity } from './domain-key.entity.js';

/** Every entity of the feature, for the host's data source. */
export const domainsEntities: (new () => object)[] = [DomainEntity, DomainKeyEntity, SigningFaultEntity];
