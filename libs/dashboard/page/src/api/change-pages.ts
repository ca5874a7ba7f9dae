import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { List } from './types';

type Pages<Item> = InfiniteData<List<Item>, unknown>;

/**
 * Updates the cached pages of a list without reading them again, for a row that was saved, created (added at the top)
 * or deleted.
 */
export function changePages<Item extends { id: string }>(
  client: QueryClient,
  path: string,
  change: { saved: Item } | { made: Item } | { goneId: string },
): void {
  client.setQueriesData<Pages<Item>>({ queryKey: ['list', path] }, (pages) => pages && changed(pages, change));
}

/** The pages after the change. */
export function changed<Item extends { id: string }>(
  pages: Pages<Item>,
  change: { saved: Item } | { made: Item } | { goneId: string },
): Pages<Item> {
  return {
    ...pages,
    pages: pages.pages.map((page, index) => ({ ...page, data: dataAfter(page.data, index === 0, change) })),
  };
}

function dataAfter<Item extends { id: string }>(
  data: Item[],
  isFirst: boolean,
  change: { saved: Item } | { made: Item } | { goneId: string },
): Item[] {
  if ('saved' in change) return data.map((item) => (item.id === change.saved.id ? change.saved : item));
  if ('goneId' in change) return data.filter(({ id }) => id !== change.goneId);
  return isFirst ? [change.made, ...data] : data;
}
