import type { ReactNode } from 'react';
import { Problem } from './problem';
import { ROW_HEIGHT } from './row';
import { ListSkeleton } from './skeleton';
import { VirtualList, type VirtualListProps } from './virtual-list';

interface PagedListProps<Item> extends Omit<VirtualListProps<Item>, 'items' | 'hasMore' | 'onNeedMore' | 'rowHeight'> {
  pages: {
    items: readonly Item[];
    error: unknown;
    isPending: boolean;
    refetch: () => unknown;
    hasNextPage?: boolean;
    needMore?: () => void;
  };
  /** Start of the sentence for a failed read: "The topics could not be listed". */
  failure: string;
  /** Meaning of a failure for the emails. */
  meaning?: string;
  /** Shown when there is nothing to list. */
  empty: ReactNode;
}

/** Rows of two lines with every state around them: not read yet, failed, none, and many. Read rows stay. */
export function PagedList<Item>({ pages, failure, meaning, empty, ...list }: PagedListProps<Item>) {
  const { items, error, isPending, refetch, hasNextPage, needMore } = pages;
  return (
    <>
      {error != null && <Problem what={failure} error={error} meaning={meaning} onRetry={() => void refetch()} />}
      {isPending && error == null && <ListSkeleton />}
      {!isPending && error == null && items.length === 0 && empty}
      {items.length > 0 && (
        <VirtualList
          {...list}
          items={items}
          rowHeight={ROW_HEIGHT}
          hasMore={hasNextPage ?? false}
          {...(needMore && { onNeedMore: needMore })}
        />
      )}
    </>
  );
}
