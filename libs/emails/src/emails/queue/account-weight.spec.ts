import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { accountWeight } from './account-weight.js';

afterEach(() => jest.restoreAllMocks());

describe('accountWeight', () => {
  it('is absent where the host gives none', () => {
    expect(accountWeight(undefined)).toBeUndefined();
  });

  it("is the host's number, or 1 with one warning", () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const weights: Record<string, unknown> = {
      large: 4,
      small: 0.5,
      tiny: 1e-17,
      huge: 1e300,
      zero: 0,
      less: -1,
      odd: Number.NaN,
      text: '2',
    };
    const weightOf = accountWeight((id) => {
      if (id === 'fails') throw new Error('no such account');
      return weights[id] as number;
    });
    expect(['large', 'small', 'tiny', 'huge'].map((id) => weightOf?.(id))).toEqual([4, 0.5, 0.001, 1_000]);
    expect(warn).not.toHaveBeenCalled();
    expect(['zero', 'less', 'odd', 'text', 'none', 'fails'].map((id) => weightOf?.(id))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
