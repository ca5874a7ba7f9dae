import { countedOf, countOf, percentOf } from './numbers';

describe('numbers', () => {
  it.each([
    [0, '0 emails'],
    [1, '1 email'],
    [1_204, `${(1_204).toLocaleString()} emails`],
  ])('counts %d', (value, text) => {
    expect(countedOf(value, 'email')).toBe(text);
  });

  it('has a form of its own for words without a plain s', () => {
    expect(countedOf(2, 'address', 'addresses')).toBe('2 addresses');
  });

  it('has at most one decimal in percent', () => {
    expect(percentOf(4.56)).toBe(`${(4.6).toLocaleString()} %`);
    expect(percentOf(50)).toBe('50 %');
    expect(percentOf(0.0257)).toBe(`${(0.03).toLocaleString()} %`);
    expect(countOf(0)).toBe('0');
  });
});
