import fc from 'fast-check';

/** Characters and sequences with a special meaning for some program. */
export const HOSTILE_TEXTS = [
  ...['\0', '\r', '\n', '\r\n', '\t', '\v', '\f', '\x1b', '\x7f', '\x85', '\u2028', '\u2029', '\ufeff', '\u00a0'],
  ...['\u202e', '\u2066', '\u200f', '\u200b', '\u00ad', '\ufffe', '\ud800', '\udfff', '\ude00\ud83d', '\u{10ffff}'],
  ...['', ' ', '.', '..', '/', '\\', '%', '%00', '%0d%0a', '%ff', '"', "'", '`', ';', ',', ':', '<', '>', '()', '@'],
  ...[
    '=?utf-8?q?=0d=0a?=',
    '=?',
    '\r\n.\r\n',
    '\n.\n',
    '\r\nBcc: x@evil.test',
    '{{x}}',
    '{{',
    '#{7*7}',
    '$1',
    '\\u0000',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', 'null', 'NaN'],
  ...["' OR 1=1--", '0198f0c1-0000-7000-8000-000000000000', 'a@b.test', '2026-02-30T00:00:00Z', '-1', '1e9', '٣', '🦊'],
];

/** Text with some of these, or with any other characters. */
export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.array(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ maxLength: 5 })), { maxLength: 4 }).map(join),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  fc.integer({ min: 0, max: 5_000 }).map((length) => 'x'.repeat(length)),
);

/** Valid JSON numbers that `JSON.stringify` never writes. */
const rawNumber = fc
  .constantFrom('1e999', '-1e999', '-0', '1E+2', '0.1e-400', '9007199254740993', `1${'0'.repeat(400)}`)
  .map((text) => `${RAW}${text}${RAW}`);

/** Any JSON value of a kind that breaks programs. */
export const hostileValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    hostileText,
    fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, 1e308, {}, [], [null], { length: -1 }, { toString: 1 }),
    rawNumber,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(hostileText, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Percent-encoded. Half of a surrogate pair cannot be encoded. */
export function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text.slice(0, 500)).toString());
}

/** Without characters that a client cannot put into a request line or a URL. */
export function bare(text: string): string {
  return text.replaceAll(/[^!-~]/g, '').slice(0, 500);
}

/** A path in a body: keys from the top down. */
type Place = string[];

/** This body with one place changed: another value, an array around it, the field under another name, or twice. */
export function mutated(body: object): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...placesIn(body)), hostileValue, hostileText, fc.nat(4))
    .map(([place, value, name, kind]) => {
      const copy = structuredClone(body);
      const parent = parentOf(copy, place);
      const key = place.at(-1) ?? '';
      if (kind === 0) parent[key] = [parent[key]];
      else if (kind === 1) delete parent[key];
      else if (kind === 2 && Array.isArray(parent)) parent.push(value);
      else if (kind === 2) Object.defineProperty(parent, name, { value, enumerable: true, configurable: true });
      else parent[key] = value;
      return toJson(copy);
    });
}

/** Also writes numbers of JSON that JavaScript cannot represent. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(new RegExp(`"${RAW}([^"]*)${RAW}"`, 'g'), '$1');
}

const RAW = '@raw@';

function join(parts: readonly string[]): string {
  return parts.join('');
}

function placesIn(value: unknown, above: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [above];
  if (Object.keys(value).length === 0) return [[...above, 'a']];
  const below = Object.keys(value).flatMap((key) => placesIn((value as Record<string, unknown>)[key], [...above, key]));
  return above.length === 0 ? below : [above, ...below];
}

function parentOf(body: object, place: Place): Record<string, unknown> {
  return place.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, body as Record<string, unknown>);
}
