import { propertyChanges, rowsOf, wrongWithRows } from './properties';

const text = (key: string, value: string) => ({ key, type: 'string' as const, value });
const number = (key: string, value: string) => ({ key, type: 'number' as const, value });

it('shows the properties of an answer by name', () => {
  expect(rowsOf({ seats: { type: 'number', value: 3 }, plan: { type: 'string', value: '' } })).toEqual([
    text('plan', ''),
    number('seats', '3'),
  ]);
});

describe('propertyChanges', () => {
  const base = [text('plan', 'pro'), number('seats', '3')];

  it('is empty when nothing changed', () => {
    expect(propertyChanges(base, [...base].reverse())).toEqual({});
  });

  it('contains new and changed values, with numbers as numbers', () => {
    expect(propertyChanges(base, [text('plan', 'free'), number('seats', '3'), number('age', '0.5')])).toEqual({
      plan: 'free',
      age: 0.5,
    });
    expect(propertyChanges(base, [text('plan', 'pro'), text('seats', '3')])).toEqual({ seats: '3' });
  });

  it('removes deleted properties, and renames others', () => {
    expect(propertyChanges(base, [text('tariff', 'pro')])).toEqual({ plan: null, seats: null, tariff: 'pro' });
  });

  it('omits a row without a name', () => {
    expect(propertyChanges([], [text('', '')])).toEqual({});
  });
});

describe('wrongWithRows', () => {
  it.each([
    [[text('', 'x')], 0, /needs a name/],
    [[text('a', '1'), text('a', '2')], 1, /two properties/],
    [[text('a', '1'), number('n', 'many')], 1, /must be a number/],
    [[number('n', ' ')], 0, /must be a number/],
  ])('finds the invalid one of %j', (rows, index, message) => {
    expect(wrongWithRows(rows)).toEqual({ index, message: expect.stringMatching(message) });
  });

  it('accepts valid properties', () => {
    expect(wrongWithRows([text('a', ''), number('n', '-1e3'), text('', '')])).toBeUndefined();
  });
});
