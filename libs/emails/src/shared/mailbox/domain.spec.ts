import { createHash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { toAsciiDomain } from './domain.js';

/** An A-label or a label of letters, digits and hyphens (RFC 5890 section 2.3.1). */
const LDH = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function accepted(label: string): string | undefined {
  try {
    return toAsciiDomain(`${label}.test`).replace(/\.test$/, '');
  } catch {
    return undefined;
  }
}

/** Whether the decoded `a…b` has the character itself, or its lower case; either may be composed differently. */
function isKept(character: string, decoded: string): boolean {
  const composed = character.normalize('NFC');
  if (composed !== character && Array.from(composed).length === 1) return false;
  const alike = [character, character.toLowerCase()].map((text) => `a${text}b`.normalize('NFD'));
  return /^a?[^\0-\x7f]+b?$/.test(decoded) && alike.includes(decoded.normalize('NFD'));
}

/** A-labels of all accepted characters between `a` and `b`, by code point. */
function acceptedCharacters(): Map<number, string> {
  const aLabels = new Map<number, string>();
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let code = 0x80; code <= 0x10ffff; code += 1) {
    const aLabel = accepted(`a${String.fromCodePoint(code)}b`);
    if (aLabel !== undefined) aLabels.set(code, aLabel);
  }
  Error.stackTraceLimit = stackTraceLimit;
  return aLabels;
}

describe('toAsciiDomain', () => {
  let aLabels: Map<number, string>;

  beforeAll(() => {
    aLabels = acceptedCharacters();
  });

  it.each([
    ['a semicolon', '\u037e'],
    ['a backtick', '\u1fef'],
    ['a letter k', '\u212a'],
    ['a letter i with a dot above', '\u0130'],
    ['an omega', '\u2126'],
    ['an a with a ring', '\u212b'],
    ['an alpha with another accent', '\u1f71'],
    ['another ideograph', '\uf900'],
    ['another ideograph beyond the first plane', '\u{2f800}'],
    ['an angle bracket', '\u2329'],
    ['a less-than sign with a bar', '<\u0338'],
    ['a middle dot', '\u0387'],
  ])('refuses a character that would become %s', (_, character) => {
    for (const label of [character, `a${character}b`, `\u00fc${character}`]) expect(accepted(label)).toBeUndefined();
  });

  it.each([
    ['bu\u0308cher', 'xn--bcher-kva'],
    ['B\u00dcCHER', 'xn--bcher-kva'],
    ['BU\u0308CHER', 'xn--bcher-kva'],
    ['\u0391\u03a3', 'xn--mxa0b'],
  ])('accepts %p, and changes its case and composition', (label, aLabel) => {
    expect(accepted(label)).toBe(aLabel);
  });

  it('maps no character of Unicode to another one', () => {
    const wrong: string[] = [];
    for (const [code, aLabel] of aLabels) {
      const character = String.fromCodePoint(code);
      if (!LDH.test(aLabel) || !isKept(character, domainToUnicode(aLabel))) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
    expect(aLabels.size).toBeGreaterThan(100_000);
  });

  it('accepts the same characters on every version of Node', () => {
    const digest = createHash('sha256')
      .update(JSON.stringify([...aLabels]))
      .digest('hex');
    expect(digest).toBe('186a799ce0639cfe2f53b410d04c9aa1bac8bc772b5c52eaa79ffd270690ab41');
  });

  it.each([
    ['a digit before right-to-left letters', '4u.\u05e7\u05d5\u05dd', '4u.xn--9dbq2a'],
    ['a hyphen between them', '\u05d0-\u05d1.test', 'xn----zhce.test'],
  ])('takes %s', (_, domain, aLabels) => {
    expect(toAsciiDomain(domain)).toBe(aLabels);
  });

  it.each([
    ['a right-to-left letter after a left-to-right one', 'a\u05d0'],
    ['Arabic digits alone', '\u0661\u0662'],
  ])('refuses %s (RFC 5893 section 2)', (_, label) => {
    expect(accepted(label)).toBeUndefined();
  });
});
