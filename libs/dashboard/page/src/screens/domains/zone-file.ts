import type { DomainRecord } from '../../api/domains';
import { fullName } from './standing';

/** Longest string of a TXT record (RFC 1035 section 3.3.14). Bytes. */
const STRING = 255;

/** The records as lines of a zone file (RFC 1035 section 5), which most providers of DNS import. */
export function zoneFile(records: readonly DomainRecord[], domain: string): string {
  return records.map((record) => `${fullName(record, domain)}. IN ${record.type} ${dataOf(record)}\n`).join('');
}

function dataOf({ type, value, priority = 0 }: DomainRecord): string {
  if (type === 'MX') return `${priority} ${value.replace(/\.$/, '')}.`;
  const strings = value.match(new RegExp(`.{1,${STRING}}`, 'gs')) ?? [''];
  return strings.map((string) => `"${string.replace(/["\\]/g, '\\$&')}"`).join(' ');
}
