import { SLICE } from '../work/slices.js';
import { jsonPieces, type WithTexts } from './json-pieces.js';

describe('jsonPieces', () => {
  const long = (unit: string) => unit.repeat((2.5 * SLICE) / unit.length);

  it.each<[string, WithTexts[]]>([
    ['none', []],
    ['short texts', [{ html: '<p>"\\u0000"</p>', text: null }, {}]],
    ['long texts', [{ html: long('<p class="a">\n'), text: long('\\b\t') }]],
    ['several', [{ html: '"\\u0000"', text: long('x') }, { html: 'x' }, { html: long('é'), text: undefined }]],
    ['many texts that are long together', Array.from({ length: 50 }, (_, at) => ({ html: '\n"é'.repeat(at * 200) }))],
    ['pairs of surrogates where a slice ends', [{ html: `a${long('📬')}` }, { html: long('📬') }]],
  ])('together are the whole JSON: %s', (_, texts) => {
    const values = texts.map((text) => ({ a: ['"\\u0000"'], ...text, z: { text: 'x' } }));
    const pieces = [...jsonPieces(values, JSON.stringify)];
    expect(pieces.join('')).toBe(JSON.stringify(values));
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(2 * SLICE + 1);
  });
});
