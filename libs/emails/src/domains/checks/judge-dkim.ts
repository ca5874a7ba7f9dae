import type { Advice } from '../records/advice.js';
import { readTags } from '../records/tag-list.js';
import type { WantedRecord } from '../records/wanted-record.js';
import type { Finding } from './finding.js';

type WantedKey = Extract<WantedRecord, { kind: 'dkim' }>;
type Judged = Pick<Finding, 'isRight' | 'advice'>;

/** Shorter beginnings of a key may be those of any key. Characters. */
const SHORTEST_CUT = 64;

/**
 * Compares the records at the name of a key with the key, by the meaning of their tags (RFC 6376 section 3.6.1).
 *
 * @param others the domain's other keys, by selector
 */
export function judgeDkim(
  wanted: WantedKey,
  found: readonly string[],
  others: ReadonlyMap<string, string> = new Map(),
): Judged {
  const keys = found.filter((text) => /(^|;)\s*p\s*=/.test(withoutQuotes(text)));
  const [first = found[0]] = keys;
  if (first === undefined) return { isRight: false, advice: [{ code: 'not_found' }] };
  // The answer of several is undefined (section 3.6.2.2).
  const several: Advice[] = found.length > 1 ? [{ code: 'several_keys' }] : [];
  const judged = keys.map((text) => judgeKey(wanted, text, others));
  const right = judged.find(({ isRight }) => isRight);
  if (right) return { isRight: keys.length === 1, advice: [...right.advice, ...several] };
  const [wrong = { isRight: false, advice: [{ code: 'not_a_key' as const }] }] = judged;
  return { isRight: false, advice: [...wrong.advice, ...several] };
}

function judgeKey(wanted: WantedKey, text: string, others: ReadonlyMap<string, string>): Judged {
  const plain = withoutQuotes(text);
  const tags = readTags(plain);
  const key = tags?.get('p')?.replace(/\s+/g, '');
  if (!tags || key === undefined) return no({ code: 'not_a_key' });
  if (key === '') return no({ code: 'key_revoked' });
  if (key !== wanted.publicKey) return no(adviceOfKey(wanted.publicKey, key, others));
  const wrong = wrongTag(tags, wanted);
  if (wrong !== undefined) return no({ code: 'wrong_tag', detail: wrong });
  if (plain !== text) return no({ code: 'quoted' });
  const isTest = flagsOf(tags.get('t')).includes('y');
  return { isRight: true, advice: isTest ? [{ code: 'test_mode' }] : [] };
}

const withoutQuotes = (text: string): string => text.replace(/["\\]/g, '');

const no = (advice: Advice): Judged => ({ isRight: false, advice: [advice] });

function adviceOfKey(wanted: string, key: string, others: ReadonlyMap<string, string>): Advice {
  const selector = [...others].find(([, publicKey]) => publicKey === key)?.[0];
  if (selector !== undefined) return { code: 'key_of_other_selector', detail: selector };
  const isCut = key.length >= SHORTEST_CUT && key.length < wanted.length && wanted.startsWith(key);
  return isCut ? { code: 'key_cut', detail: String(key.length) } : { code: 'another_key' };
}

/** A tag with which receivers do not use the key, as it is written. */
function wrongTag(tags: ReadonlyMap<string, string>, { algorithm }: WantedKey): string | undefined {
  const { v = 'DKIM1', k = 'rsa', h, s } = Object.fromEntries(tags) as Readonly<Record<string, string | undefined>>;
  if (v !== 'DKIM1' || (tags.has('v') && tags.keys().next().value !== 'v')) return `v=${v}`;
  if (k !== algorithm) return `k=${k}`;
  if (h !== undefined && !flagsOf(h).includes('sha256')) return `h=${h}`;
  if (s !== undefined && !flagsOf(s).some((service) => service === '*' || service === 'email')) return `s=${s}`;
  return undefined;
}

const flagsOf = (list = ''): string[] => list.split(':').map((flag) => flag.trim());
