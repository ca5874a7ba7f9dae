import { jest } from '@jest/globals';
import { MessageSigners } from './message-signers.js';

const signer = (answer: unknown) => ({ signs: jest.fn(async () => answer as boolean) });

describe('MessageSigners', () => {
  it('sign nothing without a signer', async () => {
    expect(await new MessageSigners().signs('one', 'shop.test')).toBe(false);
  });

  it('sign if one of them does, and ask no further', async () => {
    const [no, yes, unasked] = [signer(false), signer(true), signer(true)];
    expect(await new MessageSigners([no, yes, unasked]).signs('one', 'shop.test')).toBe(true);
    expect(no.signs).toHaveBeenCalledWith('one', 'shop.test');
    expect(unasked.signs).not.toHaveBeenCalled();
    expect(await new MessageSigners([no]).signs('one', 'shop.test')).toBe(false);
  });

  it('sign everything at a relay that does, and ask nobody', async () => {
    const no = signer(false);
    expect(await new MessageSigners([no], 'relay').signs('one', 'shop.test')).toBe(true);
    expect(no.signs).not.toHaveBeenCalled();
  });

  it.each([undefined, null, 'yes', 1])('refuse the answer %j', async (answer) => {
    const asked = new MessageSigners([signer(answer)]).signs('one', 'shop.test');
    await expect(asked).rejects.toMatchObject({ name: 'InvalidSignerAnswer' });
  });

  it('pass a rejection on, and wait no longer than three seconds', async () => {
    const failing = { signs: () => Promise.reject(new Error('no keys')) };
    await expect(new MessageSigners([failing]).signs('one', 'shop.test')).rejects.toThrow('no keys');
    jest.useFakeTimers();
    try {
      const asked = new MessageSigners([{ signs: () => new Promise(() => {}) }]).signs('one', 'shop.test');
      const refused = expect(asked).rejects.toMatchObject({ name: 'SignerTooSlow' });
      await jest.advanceTimersByTimeAsync(3_000);
      await refused;
    } finally {
      jest.useRealTimers();
    }
  });
});
