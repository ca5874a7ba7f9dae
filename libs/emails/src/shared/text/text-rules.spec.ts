import {
  hasBidiControl,
  hasControl,
  hasLineSeparator,
  isLongerThan,
  isOneCleanLine,
  isWellFormed,
} from './text-rules.js';

const controls = ['\0', '\t', '\n', '\r', '\x1b', '\x7f', '\x80', '\x85', '\x9f'];
const bidiControls = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];
const lineSeparators = ['\u2028', '\u2029'];
const halves = ['\ud83d', '\ude00', '\ude00\ud83d'];
const harmless = ['', 'a', ' ~', '\u00a0', 'ü', 'שלום', '👨‍👩‍👧', '\u{10ffff}'];

describe('text rules', () => {
  it.each([
    ['hasControl', hasControl, controls],
    ['hasBidiControl', hasBidiControl, bidiControls],
    ['hasLineSeparator', hasLineSeparator, lineSeparators],
    ['isWellFormed', (text: string) => !isWellFormed(text), halves],
  ])('%s finds its own characters and no others', (_name, rule, own) => {
    const others = [controls, bidiControls, lineSeparators, halves, harmless].filter((group) => group !== own).flat();
    expect(own.filter((text) => !rule(`a${text}b`))).toEqual([]);
    expect(others.filter((text) => rule(`a${text}b`))).toEqual([]);
  });

  it('isOneCleanLine refuses what any of them finds', () => {
    const unclean = [controls, bidiControls, lineSeparators, halves].flat();
    expect(unclean.filter((text) => isOneCleanLine(`ü${text}`) || isOneCleanLine(text))).toEqual([]);
    expect(harmless.filter((text) => !isOneCleanLine(text))).toEqual([]);
  });

  it.each(['a', 'ü', '🦊'])('isLongerThan counts characters: %s', (character) => {
    expect(isLongerThan(character.repeat(10), 10)).toBe(false);
    expect(isLongerThan(character.repeat(11), 10)).toBe(true);
    expect(isLongerThan(character.repeat(1_000), 10)).toBe(true);
  });
});
