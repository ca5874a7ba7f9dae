import { DOMAIN_LIMITS } from '../limits.js';
import { DomainWatch } from './domain-watch.js';

describe('DomainWatch', () => {
  it.each([0, 1, DOMAIN_LIMITS.checks.max])('deletes old keys although %d domains or more are due', async (count) => {
    const done: string[] = [];
    const leased = Array.from({ length: count }, (_, at) => ({ id: String(at), accountId: 'a', fence: 1 }));
    const watch = new DomainWatch(
      {
        leaseDue: async () => leased,
        dueIn: async () => undefined,
        deleteOldKeys: async () => void done.push('deleted'),
      },
      { checkAll: async (all) => void done.push(`checked ${all.length}`) },
    );
    expect(await watch.step()).toBe(count === DOMAIN_LIMITS.checks.max);
    expect(done).toEqual([`checked ${count}`, 'deleted']);
  });
});
