import type { DataSource } from 'typeorm';
import { SuppressionList } from './suppression-list.js';

describe('SuppressionList', () => {
  it('allows all addresses of an exempt account, and asks nothing about them', async () => {
    const list = new SuppressionList({} as DataSource, {} as never, {
      exemptAccounts: ['alarms'],
      isSuppressed: () => true,
    });
    const asked = { accountId: 'alarms', addresses: ['a@to.test', 'b@to.test'] };
    expect(await list.decide(asked)).toEqual([{ allowed: true }, { allowed: true }]);
  });
});
