import type { EmailContent, EmailFilters, EmailStore, PageRow } from '../storage/accept/emails.repository.js';
import { ListingService } from './listing.service.js';

const FILTERS: EmailFilters = {
  terms: ['tag:a'],
  states: undefined,
  messageId: undefined,
  start: undefined,
  end: undefined,
};

describe('ListingService', () => {
  it('leaves connections to others while one account runs many searches', async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const store = {
      filteredPage: (accountId: string) => {
        begun.push(accountId);
        return new Promise<PageRow[]>((resolve) => ends.push(() => resolve([])));
      },
    } as Partial<EmailStore> as EmailStore;
    const listing = new ListingService(store, true);
    const list = (accountId: string) => listing.list(accountId, { limit: 1 }, async () => {}, FILTERS);
    const pages = ['busy', 'busy', 'busy', 'another', 'another', 'third'].map(list);
    await new Promise(setImmediate);
    expect(begun).toEqual(['busy', 'busy', 'another', 'another']);
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    }
    expect(await Promise.all(pages)).toHaveLength(6);
    expect(begun.slice(4).sort()).toEqual(['busy', 'third']);
  });

  it('reserves memory for all content of a page before it reads more than 1 MB of it', async () => {
    const order: string[] = [];
    const page = ['a', 'b', 'c'].map((id, at) => ({ id, contentSize: 600_000 * (at + 1), available: 3 }));
    const store = {
      page: async () => page as PageRow[],
      contents: async (_account, ids) => {
        order.push(`read ${ids}`);
        return [{ id: 'c', to: ['x'] }] as EmailContent[];
      },
    } as Partial<EmailStore> as EmailStore;
    const makeRoom = async (bytes: number) => void order.push(`room ${bytes}`);
    const { items } = await new ListingService(store, true).list('one', { limit: 3 }, makeRoom);
    expect(order).toEqual(['room 1800000', 'read b,c']);
    // `b` was deleted in between.
    expect(items).toEqual([page[0], { ...page[2], to: ['x'] }]);
  });
});
