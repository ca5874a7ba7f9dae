import { codeOf } from './sign-in-code';

describe('codeOf', () => {
  it.each([
    ['#code=abc-_1', 'abc-_1'],
    ['#code=', undefined],
    ['#', undefined],
    ['', undefined],
    ['#top', undefined],
  ])('reads %j', (hash, code) => {
    expect(codeOf(hash)).toBe(code);
  });
});
