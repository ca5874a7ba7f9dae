import type { EntityManager } from 'typeorm';
import { transactionFor } from './transaction-for.js';

describe('transactionFor', () => {
  const [ours, others] = [{}, {}];
  const managerOf = (connection: object) => ({ connection }) as unknown as EntityManager;
  const own = managerOf(ours);

  it('is a given one of the same data source, or of another library', () => {
    const [same, foreign] = [managerOf(ours), { query: async () => ({ rows: [] }) }];
    expect(transactionFor(own, same)).toBe(same);
    expect(transactionFor(own, foreign)).toBe(foreign);
  });

  it('is its own one otherwise', () => {
    expect(transactionFor(own, undefined)).toBe(own);
    expect(transactionFor(own, managerOf(others))).toBe(own);
  });
});
