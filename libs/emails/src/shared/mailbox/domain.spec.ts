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

/** Whether `a…b` decoded has the character itself, or its lower case; either may be composed in another way. */
function isKept(character: string, decoded: string): boolean {
  const composed = character.normalize('NFC');
  if (composed !== character && Array.from(composed).length === 1) return false;
  const alike = [character, character.toLowerCase()].map((text) => `a${text}b`.normalize('NFD'));
  return /^a?[^\0-\x7f]+b?$/.test(decoded) && alike.includes(decoded.normalize('NFD'));
}

describe('toAsciiDomain', () => {
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
  ])('refuses what would turn into %s', (_, character) => {
    for (const label of [character, `a${character}b`, `\u00fc${character}`]) expect(accepted(label)).toBeUndefined();
  });

  it.each([
    ['bu\u0308cher', 'xn--bcher-kva'],
    ['B\u00dcCHER', 'xn--bcher-kva'],
    ['BU\u0308CHER', 'xn--bcher-kva'],
    ['\u0391\u03a3', 'xn--mxa0b'],
  ])('takes %p, of which case and composition change', (label, aLabel) => {
    expect(accepted(label)).toBe(aLabel);
  });

  it('takes no character of Unicode for another one', () => {
    const wrong: string[] = [];
    let taken = 0;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    for (let code = 0x80; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      const aLabel = accepted(`a${character}b`);
      if (aLabel === undefined) continue;
      taken += 1;
      if (!LDH.test(aLabel) || !isKept(character, domainToUnicode(aLabel))) wrong.push(code.toString(16));
    }
    Error.stackTraceLimit = stackTraceLimit;
    expect(wrong).toEqual([]);
    expect(taken).toBeGreaterThan(100_000);
  });
});
