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

/** Purpose of a record, in Resend's words as far as it has one. */
export type RecordLabel = 'SPF' | 'DKIM' | 'DMARC';

/** The challenge of a relay that signs has no word at Resend. */
export function labelOf({ kind }: WantedRecord): RecordLabel {
  if (kind === 'dmarc') return 'DMARC';
  return kind === 'mx' || kind === 'spf' ? 'SPF' : 'DKIM';
}
