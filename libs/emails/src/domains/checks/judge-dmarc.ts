import type { Advice } from '../records/advice.js';
import { readTags } from '../records/tag-list.js';
import type { Finding } from './finding.js';

type Judged = Pick<Finding, 'isRight' | 'advice'>;

/** Tags of RFC 7489 that RFC 9989 does not have. */
const REMOVED = ['pct', 'rf', 'ri'];
const POLICIES = ['none', 'quarantine', 'reject'];

/** Reads the TXT records at `_dmarc` (RFC 9989 section 4.7). One record with a policy is right. */
export function judgeDmarc(found: readonly string[]): Judged {
  const records = found.filter(isDmarc);
  const [record] = records;
  if (record === undefined) return { isRight: false, advice: [{ code: 'no_dmarc' }] };
  if (records.length > 1) return { isRight: false, advice: [{ code: 'several_dmarc' }] };
  const tags = readTags(record) ?? new Map<string, string>();
  const isRight = POLICIES.includes((tags.get('p') ?? '').toLowerCase());
  return { isRight, advice: [...(isRight ? [] : [{ code: 'dmarc_policy' as const }]), ...remarks(tags)] };
}

/** The version comes first. */
export const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\s*(;|$)/.test(text);

function remarks(tags: ReadonlyMap<string, string>): Advice[] {
  const removed = REMOVED.filter((name) => tags.has(name));
  return [
    ...(removed.length > 0
      ? [{ code: 'dmarc_removed_tags' as const, detail: removed.map((name) => `\`${name}\``).join(', ') }]
      : []),
    ...(tags.has('rua') ? [] : [{ code: 'dmarc_no_reports' as const }]),
    ...(tags.get('aspf')?.toLowerCase() === 's' ? [{ code: 'dmarc_strict' as const }] : []),
  ];
}
