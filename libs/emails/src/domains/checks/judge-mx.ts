import type { MxRecord } from '../dns/domain-name-service.js';
import type { Advice } from '../records/advice.js';
import type { Finding } from './finding.js';

type Judged = Pick<Finding, 'isRight' | 'advice'>;

/** Looks for a mail exchanger. Others next to it do not matter. @param domain domain of the account */
export function judgeMx(host: string, found: readonly MxRecord[], domain: string): Judged {
  const exchanges = found.map(({ exchange }) => normal(exchange));
  const wanted = normal(host);
  const others = exchanges.filter((exchange) => exchange !== wanted);
  const detail = others.join(', ');
  if (others.length < exchanges.length) {
    return { isRight: true, advice: others.length > 0 ? [{ code: 'mx_others', detail }] : [] };
  }
  const [other] = others;
  if (other === undefined) return { isRight: false, advice: [{ code: 'not_found' }] };
  return { isRight: false, advice: [adviceOf(other, wanted, domain, detail)] };
}

function adviceOf(other: string, wanted: string, domain: string, detail: string): Advice {
  if (other === '') return { code: 'null_mx' };
  if (other.startsWith(`${wanted}.`) && domain.endsWith(other.slice(wanted.length + 1))) {
    return { code: 'mx_doubled', detail };
  }
  // Programs show a blank within a label as `\032`.
  if (/^\d+[^a-z\d]/.test(other) && other.includes(wanted)) return { code: 'mx_priority', detail };
  return { code: 'other_mx', detail };
}

const normal = (host: string): string => host.toLowerCase().replace(/\.$/, '');
