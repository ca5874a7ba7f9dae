import { growth, LINEAR } from '../work/growth.spec-tools.js';
import { wordsOf } from './words.js';

it.each([
  ['Jane Doe <jane.doe@example.com>', 'jane doe jane doe example com'],
  ['Re: your order #1182, on-its_way!', 're your order 1182 on its way'],
  ['Zoë ÅNGSTRÖM naïve', 'zoe angstrom naive'],
  ['Łódź, Đà Nẵng, Søren, Straße, ŒUVRE', 'lodz da nang soren strasse oeuvre'],
  ['İstanbul ısı STRASSE ẞ', 'istanbul isi strasse ss'],
  ['ΟΔΟΣ οδός ΟΔΟΣ.Α', 'οδοσ οδοσ οδοσ α'],
  ['Ёлка и йод', 'елка и иод'],
  ['שָׁלוֹם عَرَبِيّ', 'שלום عربي'],
  ['हिन्दी ไทย', 'हिन्दी ไทย'.normalize('NFKD')],
  ['注文の確認 １２３ ①', '注文の確認 123 1'],
  ['주문', '주문'.normalize('NFKD')],
  ['ﬁne ½ 𝐉ane', 'fine 1 2 jane'],
  ['❤️ 👩‍👩‍👧 a👍b', 'a b'],
  ['\u202Eabc\u202C \u0301\u0301 d\u0301\u0302e', 'abc de'],
  ['a\ud800b \udfff', 'a b'],
  ['a\0b', 'a b'],
  [' \t.,;', ''],
  ['', ''],
])('of %j', (text, words) => {
  expect(wordsOf(text).join(' ')).toBe(words);
});

it('are the same in every normal form', () => {
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
    expect(wordsOf('Å Ẵ ﬁ 한국 が'.normalize(form))).toEqual(wordsOf('Å Ẵ ﬁ 한국 が'));
  }
});

it('are well-formed and quick to find in any text', () => {
  for (const piece of ['\u0301', 'a\u0301', '\ud83d', '\ufdfa', 'ß', ' ', '\0', '\u{1D518}']) {
    const words = wordsOf(`x${piece.repeat(100_000)}`);
    expect(words.filter((word) => !word.isWellFormed())).toEqual([]);
    expect(growth((size) => wordsOf(`x${piece.repeat(size)}`), 10_000)).toBeLessThan(LINEAR);
  }
});
