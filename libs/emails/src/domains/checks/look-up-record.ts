import { randomBytes } from 'node:crypto';
import type { DomainNameService } from '../dns/domain-name-service.js';
import type { Advice } from '../records/advice.js';
import type { WantedRecord } from '../records/wanted-record.js';
import type { Finding } from './finding.js';
import { judgeDkim } from './judge-dkim.js';
import { isDmarc, judgeDmarc } from './judge-dmarc.js';
import { judgeMx } from './judge-mx.js';
import { judgeSpf } from './judge-spf.js';

/** Domains above one that may hold its DMARC record: RFC 9989 section 4.10 allows 8 lookups in all. */
const PARENTS = 7;

/** The domain that is looked at. */
export interface LookedUpDomain {
  name: string;
  /** The domain that was registered, of which `name` may be a subdomain. */
  registered: string;
  /** Public keys by selector. */
  keys: ReadonlyMap<string, string>;
}

/**
 * Looks a record up, and what may have gone wrong with it.
 *
 * @throws LookupError when it is not known if the record is there
 */
export async function lookUpRecord(
  dns: DomainNameService,
  record: WantedRecord,
  domain: LookedUpDomain,
): Promise<Finding> {
  const name = `${record.name}.${domain.name}`;
  if (record.kind === 'mx') return lookUpMx(dns, record, name, domain);
  const found = await texts(dns, name);
  if (record.kind === 'dmarc') return lookUpDmarc(dns, found, domain);
  const judged = judge(record, found, domain);
  if (judged.isRight) return { ...judged, found };
  const advice =
    found.length === 0
      ? await adviceOfNothing(dns, record, name, domain, async (other) => (await texts(dns, other)).length > 0)
      : await adviceOfWrong(dns, record, name, found, judged.advice);
  return { isRight: false, found, advice };
}

function judge(record: Exclude<WantedRecord, { kind: 'mx' | 'dmarc' }>, found: string[], { keys }: LookedUpDomain) {
  if (record.kind === 'dkim') {
    const others = new Map([...keys].filter(([selector]) => selector !== record.selector));
    return judgeDkim(record, found, others);
  }
  if (record.kind === 'spf') return judgeSpf(record.mechanisms, found);
  return { isRight: found.includes(record.value), advice: [{ code: 'not_found' as const }] };
}

async function lookUpMx(
  dns: DomainNameService,
  record: Extract<WantedRecord, { kind: 'mx' }>,
  name: string,
  domain: LookedUpDomain,
): Promise<Finding> {
  const found = await dns.mx(name);
  const { isRight, advice } = judgeMx(record.value, found, domain.name);
  const shown = found.map(({ priority, exchange }) => `${priority} ${exchange}`);
  if (found.length > 0) return { isRight, found: shown, advice };
  const isAt = async (other: string) => (await dns.mx(other)).length > 0;
  return { isRight, found: shown, advice: await adviceOfNothing(dns, record, name, domain, isAt) };
}

/** A domain without a record has that of the next domain above it. */
async function lookUpDmarc(dns: DomainNameService, found: string[], { name }: LookedUpDomain): Promise<Finding> {
  const judged = judgeDmarc(found);
  if (found.some(isDmarc)) return { ...judged, found };
  const labels = name.split('.');
  for (let at = Math.max(1, labels.length - PARENTS); at < labels.length - 1; at++) {
    const parent = labels.slice(at).join('.');
    const inherited = (await texts(dns, `_dmarc.${parent}`)).filter(isDmarc);
    if (inherited.length === 0) continue;
    const { isRight, advice } = judgeDmarc(inherited);
    return { isRight, found: inherited, advice: [{ code: 'inherited_dmarc', detail: parent }, ...advice] };
  }
  return { ...judged, found };
}

/** Where the record may be instead. A lookup without an answer gives no advice. */
async function adviceOfNothing(
  dns: DomainNameService,
  { name: relative }: WantedRecord,
  name: string,
  { name: domain, registered }: LookedUpDomain,
  isAt: (name: string) => Promise<boolean>,
): Promise<Advice[]> {
  const [alias] = await orNothing(dns.cname(name));
  if (alias !== undefined) return [{ code: 'cname', detail: alias }];
  const places = new Set([`${name}.${domain}`, `${name}.${registered}`, `${relative}.${registered}`]);
  places.delete(name);
  for (const place of places) {
    if (place.length <= 253 && (await isAt(place).catch(() => false))) return [{ code: 'misplaced', detail: place }];
  }
  return [{ code: 'not_found' }];
}

/** A wildcard gives the same answer to a name that nobody made. */
async function adviceOfWrong(
  dns: DomainNameService,
  { name: relative }: WantedRecord,
  name: string,
  found: readonly string[],
  advice: readonly Advice[],
): Promise<readonly Advice[]> {
  const [alias] = await orNothing(dns.cname(name));
  if (alias !== undefined) return [{ code: 'cname', detail: alias }, ...advice];
  const [first = ''] = relative.split('.');
  const random = `${randomBytes(8).toString('hex')}${name.slice(first.length)}`;
  const elsewhere = (await orNothing(dns.txt(random))).map((strings) => strings.join(''));
  const isWildcard = elsewhere.length > 0 && elsewhere.toSorted().join('\n') === found.toSorted().join('\n');
  return isWildcard ? [{ code: 'wildcard' }] : advice;
}

async function texts(dns: DomainNameService, name: string): Promise<string[]> {
  return (await dns.txt(name)).map((strings) => strings.join(''));
}

async function orNothing<T>(lookup: Promise<readonly T[]>): Promise<readonly T[]> {
  return lookup.catch(() => []);
}
