import type { Advice } from '../records/advice.js';
import type { Finding } from './finding.js';

type Judged = Pick<Finding, 'isRight' | 'advice'>;

/** Terms that cost a lookup, and their limit (RFC 7208 section 4.6.4). */
const LOOKUP = /^[+?~-]?(include:|a([:/]|$)|mx([:/]|$)|ptr([:/]|$)|exists:)|^redirect=/i;
const LOOKUPS = 10;
const ALL = /^[+?~-]?all$/i;

/** Compares the TXT records at the name of a return path with the mechanisms that an SPF record must have (RFC 7208). */
export function judgeSpf(mechanisms: readonly string[], found: readonly string[]): Judged {
  if (found.length === 0) return no({ code: 'not_found' });
  const records = found.filter((text) => /^v=spf1( |$)/i.test(text));
  const [record] = records;
  if (record === undefined) {
    return no({ code: found.some((text) => /^["\\]+\s*v=spf1/i.test(text)) ? 'quoted' : 'no_spf' });
  }
  if (records.length > 1) return no({ code: 'several_spf', detail: String(records.length) });
  const terms = record.split(/ +/).slice(1).map(normal);
  const all = terms.findIndex((term) => ALL.test(term));
  const counting = all < 0 ? terms : terms.slice(0, all);
  const lacking = mechanisms.map(normal).filter((wanted) => !counting.includes(wanted));
  const isRight = lacking.length === 0;
  const missing = lacking.map((detail) => ({
    code: terms.includes(detail) ? ('spf_after_all' as const) : ('spf_lacks' as const),
    detail,
  }));
  return { isRight, advice: [...missing, ...remarks(terms, terms[all])] };
}

const no = (advice: Advice): Judged => ({ isRight: false, advice: [advice] });

/** A mechanism without the qualifier that it has anyway. Names of hosts and mechanisms have no case. */
const normal = (term: string): string => term.toLowerCase().replace(/^\+/, '');

/** @param all the term `all`, without a `+` */
function remarks(terms: readonly string[], all: string | undefined): Advice[] {
  const isTooMuch = terms.filter((term) => LOOKUP.test(term)).length > LOOKUPS;
  return [
    ...(all === 'all' ? [{ code: 'spf_allows_all' as const }] : []),
    ...(isTooMuch ? [{ code: 'spf_too_many' as const }] : []),
  ];
}
