import { returnAddress, tokenIn } from './return-address.js';

describe('returnAddress', () => {
  it('carries a token, which is found in any letter case', () => {
    const address = returnAddress('abc', 'bounces.test');
    expect(address).toBe('b+abc@bounces.test');
    expect(tokenIn(address.toUpperCase(), 'bounces.test')).toBe('abc');
    expect(tokenIn('b+abc@send.shop.test', undefined)).toBe('abc');
    expect(tokenIn('b+abc', undefined)).toBeUndefined();
  });

  it.each(['b+abc@other.test', 'c+abc@bounces.test', 'b+abc@x.bounces.test', 'b+abc', '', '@bounces.test'])(
    'is not %j',
    (address) => {
      expect(tokenIn(address, 'bounces.test')).toBeUndefined();
    },
  );
});
