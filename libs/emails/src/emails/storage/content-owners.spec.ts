import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ContentOwner } from '../ports/content-owner.js';
import { ContentOwners } from './content-owners.js';

const MANAGER = {} as EntityManager;
const owner = (...kept: string[]) => ({ keeps: jest.fn<ContentOwner['keeps']>(async () => kept) });

describe('ContentOwners', () => {
  it('return hashes without an owner, and ask each owner about the hashes that the owners before it left', async () => {
    const [one, other, last] = [owner('a', 'x'), owner('b', 'c'), owner()];
    const owners = new ContentOwners([one, other, last]);
    expect(owners.any).toBe(true);
    expect(await owners.unowned(['a', 'b', 'c', 'd'], MANAGER)).toEqual(['d']);
    expect(other.keeps).toHaveBeenCalledWith(['b', 'c', 'd'], MANAGER);
    expect(await owners.unowned(['a', 'b'], MANAGER)).toEqual([]);
    expect(last.keeps).toHaveBeenCalledTimes(1);
  });

  it('return all hashes where there is no owner', async () => {
    expect(new ContentOwners().any).toBe(false);
    expect(await new ContentOwners().unowned(['a'], MANAGER)).toEqual(['a']);
  });

  it('decide nothing when one of them fails, and warn about it once in five minutes', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const keeps = jest.fn<() => Promise<unknown>>(() => Promise.reject(new Error('away')));
    const owners = new ContentOwners([{ keeps } as unknown as ContentOwner]);
    expect(await owners.unowned(['a'], MANAGER)).toBeUndefined();
    for (const wrong of [undefined, 'a']) {
      keeps.mockResolvedValueOnce(wrong);
      expect(await owners.unowned(['a'], MANAGER)).toBeUndefined();
    }
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^A content owner did not answer.*Error: away/s)]]);
    keeps.mockResolvedValueOnce([]);
    expect(await owners.unowned(['a'], MANAGER)).toEqual(['a']);
  });
});
