import type { EntityManager } from 'typeorm';
import { SuppressionIntake } from './suppression-intake.js';
import type { NewSuppression } from './suppressions.repository.js';

const MANAGER = {} as EntityManager;
const entry = (email: string, fields: Partial<NewSuppression> = {}): NewSuppression => ({
  id: email,
  emailKey: email,
  email,
  origin: 'bounce',
  operator: 'gmail',
  ...fields,
});

function intake(...held: string[]) {
  const [put, candidates, asked]: [string[], string[], (readonly string[])[]] = [[], [], []];
  const named = (entries: readonly NewSuppression[]) => entries.map(({ id }) => id);
  const taking = new SuppressionIntake(
    {
      put: async (_, account, entries) => {
        put.push(account, ...named(entries));
        return [];
      },
    },
    { put: async (_, __, entries) => void candidates.push(...named(entries)) },
    {
      held: async (_, operators) => {
        asked.push(operators);
        return new Set(operators.filter((operator) => held.includes(operator)));
      },
    },
  );
  return {
    put,
    candidates,
    asked,
    add: (...entries: NewSuppression[]) => taking.put(MANAGER, new Map([['one', entries]])),
  };
}

describe('SuppressionIntake', () => {
  it('adds refusals of an operator in a bad hour as candidates, and all others as entries', async () => {
    const { put, candidates, asked, add } = intake('gmail');
    const held = await add(
      entry('a'),
      entry('b', { operator: 'yahoo' }),
      entry('c', { operator: null }),
      entry('d', { origin: 'complaint' }),
      entry('e', { lifetime: 1 }),
    );
    expect(candidates).toEqual(['a']);
    expect(put).toEqual(['one', 'b', 'c', 'd', 'e']);
    expect(asked).toEqual([['gmail', 'yahoo']]);
    expect([...held]).toEqual(['gmail']);
  });

  it('writes no entry if there are candidates alone', async () => {
    const { put, candidates, add } = intake('gmail');
    await add(entry('a'));
    expect([put, candidates]).toEqual([[], ['a']]);
  });
});
