import type { Answer, CaaData } from 'dns-packet';

/** A TXT record: its strings, or a text that is cut into strings of 255 bytes (RFC 1035 section 3.3.14). */
export type TxtRecord = string | readonly string[];

/**
 * - `SERVFAIL`, `REFUSED`: an answer with this code and no records
 * - `silence`: no answer, by UDP or TCP
 * - `truncated, then silence`: by UDP an answer with TC set and no records; by TCP none
 * - `wrong id`: an answer with another id than the query's
 * - `garbage`: bytes that are no DNS message
 */
export type DnsFault = 'SERVFAIL' | 'REFUSED' | 'silence' | 'truncated, then silence' | 'wrong id' | 'garbage';

/** Records of one name. */
export interface DnsRecords {
  A?: readonly string[];
  AAAA?: readonly string[];
  CAA?: readonly CaaData[];
  CNAME?: string;
  MX?: readonly { exchange: string; priority: number }[];
  NS?: readonly string[];
  PTR?: readonly string[];
  TXT?: readonly TxtRecord[];
  /** Of all queries of the name, or of those of one type. Default: none. */
  fault?: DnsFault | { [type: string]: DnsFault };
  /** Time before an answer. Milliseconds; default: 0. */
  delay?: number;
}

/** Records by their name: without a dot at the end, in lower case. Others do not exist. */
export type DnsZone = Record<string, DnsRecords>;

export type RecordKind = Exclude<keyof DnsRecords, 'fault' | 'delay'>;

/** `NXDOMAIN`: neither the name exists nor one below it (RFC 8020). */
export interface ZoneAnswer {
  code: 'NOERROR' | 'NXDOMAIN';
  answers: Answer[];
}

const TXT_LIMIT = 255;

/** Answers as a server that resolves for others: CNAMEs are followed (RFC 1034 section 3.6.2), in a circle once. */
export function answerFrom(zone: DnsZone, name: string, type: string): ZoneAnswer {
  const answers: Answer[] = [];
  const seen = new Set<string>();
  let at = name;
  for (;;) {
    const records = zone[keyOf(at)] ?? wildcardOf(zone, at);
    if (!records) return { code: isAbove(zone, at) ? 'NOERROR' : 'NXDOMAIN', answers };
    if (records.CNAME === undefined || type === 'CNAME') {
      answers.push(...answersOf(records, at, type));
      return { code: 'NOERROR', answers };
    }
    answers.push(...answersOf(records, at, 'CNAME'));
    if (seen.has(keyOf(at))) return { code: 'NOERROR', answers };
    seen.add(keyOf(at));
    at = records.CNAME;
  }
}

/** The fault of a query, if any. */
export function faultOf(zone: DnsZone, name: string, type: string): DnsFault | undefined {
  const fault = zone[keyOf(name)]?.fault;
  return typeof fault === 'object' ? fault[type] : fault;
}

export const delayOf = (zone: DnsZone, name: string): number => zone[keyOf(name)]?.delay ?? 0;

const keyOf = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** Records of the wildcard that answers for a name without records (RFC 4592). */
function wildcardOf(zone: DnsZone, name: string): DnsRecords | undefined {
  if (isAbove(zone, name)) return undefined;
  for (let parent = parentOf(name); parent !== ''; parent = parentOf(parent)) {
    const wildcard = zone[keyOf(`*.${parent}`)];
    if (wildcard || zone[keyOf(parent)] || isAbove(zone, parent)) return wildcard;
  }
  return undefined;
}

const parentOf = (name: string): string => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : '');

/** True for a name without records, with a name below it. */
function isAbove(zone: DnsZone, name: string): boolean {
  return Object.keys(zone).some((known) => known.endsWith(`.${keyOf(name)}`));
}

function answersOf(records: DnsRecords, name: string, type: string): Answer[] {
  const facts = { name, ttl: 0 };
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'NS':
    case 'PTR':
      return (records[type] ?? []).map((data) => ({ ...facts, type, data }));
    case 'CNAME':
      return records.CNAME === undefined ? [] : [{ ...facts, type, data: records.CNAME }];
    case 'CAA':
      return (records.CAA ?? []).map((data) => ({ ...facts, type, data }));
    case 'MX':
      return (records.MX ?? []).map(({ exchange, priority }) => ({
        ...facts,
        type,
        // The root is the name of no server (RFC 7505).
        data: { exchange: exchange === '' ? '.' : exchange, preference: priority },
      }));
    case 'TXT':
      return (records.TXT ?? []).map((text) => ({ ...facts, type, data: stringsOf(text) }));
    default:
      return [];
  }
}

function stringsOf(text: TxtRecord): Buffer[] {
  if (typeof text !== 'string') return text.map((part) => Buffer.from(part));
  const bytes = Buffer.from(text);
  const strings: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += TXT_LIMIT) strings.push(bytes.subarray(at, at + TXT_LIMIT));
  return strings;
}
