import type { KeyAlgorithm } from '../storage/domain-key.entity.js';

interface Common {
  /** Key of its check in `RecordChecks`. */
  key: string;
  /** Within the domain, such as `send`. */
  name: string;
  value: string;
}

/** A record that a domain should have. */
export type WantedRecord =
  | (Common & { kind: 'dkim'; selector: string; algorithm: KeyAlgorithm; publicKey: string; retiredAt: Date | null })
  | (Common & { kind: 'mx'; priority: number })
  | (Common & { kind: 'spf'; mechanisms: readonly string[] })
  | (Common & { kind: 'challenge' })
  | (Common & { kind: 'dmarc' });

/** Type of the record in DNS. */
export const typeOf = ({ kind }: WantedRecord): 'MX' | 'TXT' => (kind === 'mx' ? 'MX' : 'TXT');

/** Name of the record in an answer, in Resend's words: the challenge has none of its own. */
export const labelOf = ({ kind }: WantedRecord): 'SPF' | 'DKIM' => (kind === 'mx' || kind === 'spf' ? 'SPF' : 'DKIM');
