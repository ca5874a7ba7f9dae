import { SLICE } from '../work/slices.js';
import { jsonPieces, listPieces, textLength, type WithTexts } from './json-pieces.js';

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
    const ofList = [...listPieces(values)];
    expect(ofList.join('')).toBe(JSON.stringify(values));
    const within = (list: unknown) => ({ a: 'x', data: list, z: ['x'] });
    const ofObject = [...listPieces(values, within)];
    expect(ofObject.join('')).toBe(JSON.stringify(within(values)));
    const [value = {}] = values;
    const ofOne = [...jsonPieces(value)];
    expect(ofOne.join('')).toBe(JSON.stringify(value));
    for (const piece of [...ofList, ...ofObject, ...ofOne]) expect(piece.length).toBeLessThanOrEqual(2 * SLICE + 1);
  });

  it('has few objects of a list in each piece, regardless of long parts', () => {
    const values = Array.from({ length: 20 }, () => ({
      to: Array.from({ length: 100 }, () => 'x'.repeat(900)),
      html: 'x',
    }));
    const pieces = [...listPieces(values)];
    expect(pieces.join('')).toBe(JSON.stringify(values));
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(SLICE);
  });
});

describe('textLength', () => {
  it.each<[number, unknown]>([
    [0, undefined],
    [0, [null, 12, true, {}]],
    [3, 'abc'],
    [6, { to: ['ab', 'c'], tags: [{ name: 'x', value: 'yz' }], html: null }],
  ])('is %i of %j', (length, value) => {
    expect(textLength(value)).toBe(length);
  });
});
