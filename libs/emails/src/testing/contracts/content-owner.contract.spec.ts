import type { EntityManager } from 'typeorm';
import type { ContentOwner } from '../../emails/ports/content-owner.js';
import { contentOwnerContract } from './content-owner.contract.js';
import { brokenOf } from './contracts.spec-tools.js';

const OWNED = ['a', 'b'].map((letter) => letter.repeat(64));
const right: ContentOwner['keeps'] = async (hashes) => hashes.filter((hash) => OWNED.includes(hash));
const broken = (keeps: unknown) =>
  brokenOf(contentOwnerContract(() => ({ keeps }) as ContentOwner, { owned: OWNED, manager: {} as EntityManager }));

/** Remembers the last question. */
function forgetful(): ContentOwner['keeps'] {
  let asked: readonly string[] = [];
  return async (hashes) => {
    asked = hashes;
    await Promise.resolve();
    return right(asked, {} as EntityManager);
  };
}

describe('contentOwnerContract', () => {
  it('is kept by an owner that names what it refers to, in any order', async () => {
    expect(await broken(right)).toEqual({});
    expect(await broken(async (hashes: string[]) => (await right(hashes, {} as EntityManager)).toReversed())).toEqual(
      {},
    );
    expect(await broken(async () => OWNED)).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ['answers nothing', async () => undefined, 'names no content that it does not refer to'],
    ['keeps everything', async (hashes: string[]) => hashes, 'names no content that it does not refer to'],
    ['keeps nothing', async () => [], 'names each content that it refers to'],
    [
      'checks only a few',
      async (hashes: string[]) => right(hashes.slice(0, 10), {} as EntityManager),
      'finds them among 1000 contents',
    ],
    ['mixes up concurrent questions', forgetful(), 'answers many questions at the same time, independently'],
  ])('is broken by one that %s', async (_, keeps, name) => {
    expect(Object.keys(await broken(keeps))).toContain(name);
  });
});
