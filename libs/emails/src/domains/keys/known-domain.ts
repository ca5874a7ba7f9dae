import type { DomainTls } from '../storage/domain.entity.js';
import type { KeyAlgorithm } from '../storage/domain-key.entity.js';
import type { DomainStatus } from '../storage/domain-status.js';
import type { SealedKey } from './sealed-keys.js';

/** A domain as delivery and acceptance need it. */
export interface KnownDomain {
  id: string;
  accountId: string;
  /** In lower-case A-labels. */
  name: string;
  status: DomainStatus;
  /** False: it counts as not verified. */
  sending: boolean;
  tls: DomainTls;
  /**
   * Domain of its return path, such as `send.example.com`, once the records of the return path are verified; null before,
   * and where the return path is a relay's.
   */
  returnPath: string | null;
  /** The keys that sign now, by algorithm and selector. */
  keys: readonly ({ selector: string; algorithm: KeyAlgorithm } & SealedKey)[];
}
