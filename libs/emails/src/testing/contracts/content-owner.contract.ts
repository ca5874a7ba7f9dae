import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { ContentOwner } from '../../emails/ports/content-owner.js';
import type { ContractCase, Make } from './contract-case.js';

/** Limit of contents in one question. */
const MANY = 1_000;

/** Contents that the owner of a test refers to. */
export interface ContentOwnerExamples {
  /** Hashes of contents that it refers to. At least one. */
  owned: readonly string[];
  /** Manager of the host's data source, for an owner that reads with it. */
  manager: EntityManager;
}

/** Checks the promises that `EmailsModule` relies on before it deletes contents. */
export function contentOwnerContract(
  make: Make<ContentOwner>,
  { owned, manager }: ContentOwnerExamples,
): ContractCase[] {
  const ask = async (owner: ContentOwner, hashes: readonly string[]) => {
    const kept = await owner.keeps(Object.freeze([...hashes]), manager);
    assert.ok(Array.isArray(kept), `The answer must be an array, not ${typeof kept}.`);
    return kept as readonly string[];
  };
  const expectOwned = (kept: readonly string[], asked: readonly string[]) => {
    const expected = asked.filter((hash) => owned.includes(hash)).toSorted();
    assert.deepEqual(
      asked.filter((hash) => kept.includes(hash)).toSorted(),
      expected,
      'It must name the contents that it refers to.',
    );
  };
  return [
    {
      name: 'names no content that it does not refer to',
      run: async () => {
        const asked = strangers(3);
        expectOwned(await ask(await make(), asked), asked);
      },
    },
    {
      name: 'names each content that it refers to',
      run: async () => {
        const owner = await make();
        for (const hash of owned) expectOwned(await ask(owner, [hash]), [hash]);
      },
    },
    {
      name: `finds them among ${MANY} contents`,
      run: async () => {
        const asked = [...owned, ...strangers(MANY)].slice(0, MANY).toSorted();
        expectOwned(await ask(await make(), asked), asked);
      },
    },
    {
      name: 'answers many questions at the same time, independently',
      run: async () => {
        const owner = await make();
        const questions = Array.from({ length: 21 }, (_, index) => (index % 2 ? [...owned] : strangers(index + 1)));
        const answers = await Promise.all(questions.map((asked) => ask(owner, asked)));
        for (const [index, asked] of questions.entries()) expectOwned(answers[index] ?? [], asked);
      },
    },
  ];
}

function strangers(count: number): string[] {
  return Array.from({ length: count }, () => createHash('sha256').update(randomUUID()).digest('hex'));
}
