import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useShortcuts } from '../hooks/use-shortcuts';
import './virtual-list.css';

export interface VirtualListProps<Item> {
  /** Its content, for assistive technology. */
  label: string;
  items: readonly Item[];
  idOf: (item: Item) => string;
  /** Height of each row. Pixels. */
  rowHeight?: number;
  /** Content of a row, not higher than `rowHeight`. */
  row: (item: Item) => ReactNode;
  /** Target of a row below the mount path, with the current query. */
  hrefOf: (item: Item) => string;
  chosenId?: string | undefined;
  onClose?: () => void;
  /** True while there are more rows after the last. */
  hasMore?: boolean;
  onNeedMore?: () => void;
  /** Called when the reader leaves or returns to the top. */
  onScrolled?: (isAway: boolean) => void;
  /** Called with the indexes of the rows on the screen. */
  onShown?: (first: number, last: number) => void;
}

/** Distance from the end at which more is loaded. Rows. */
const LOAD_DISTANCE = 15;

/**
 * A list of any length that renders only the visible rows. `j` and `k` select the next and the previous row, Escape
 * closes; rows are links.
 */
export function VirtualList<Item>({
  label,
  items,
  idOf,
  rowHeight = 40,
  row,
  hrefOf,
  chosenId,
  onClose,
  hasMore = false,
  onNeedMore,
  onScrolled,
  onShown,
}: VirtualListProps<Item>) {
  const frame = useRef<HTMLElement>(null);
  const [, navigate] = useLocation();
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    getItemKey: (index) => idOf(items[index] as Item),
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const isNearEnd = hasMore && last >= items.length - LOAD_DISTANCE;
  useEffect(() => {
    if (isNearEnd) onNeedMore?.();
  }, [isNearEnd, onNeedMore]);

  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(() => onShown?.(startIndex, endIndex), [startIndex, endIndex, onShown]);

  const step = (by: number) => {
    const at = items.findIndex((item) => idOf(item) === chosenId);
    const next = items[at < 0 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1)];
    if (next === undefined) return;
    virtualizer.scrollToIndex(items.indexOf(next));
    // One step back leads to the list, regardless of the number of opened rows.
    navigate(hrefOf(next), { replace: chosenId !== undefined });
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ...(onClose && chosenId !== undefined && { Escape: onClose }),
  });

  return (
    <section
      ref={frame}
      className="virtual-list"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      onScroll={(event) => onScrolled?.(event.currentTarget.scrollTop > rowHeight)}
    >
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start, key }) => {
          const item = items[index] as Item;
          const isChosen = idOf(item) === chosenId;
          return (
            <li key={key} style={{ height: rowHeight, transform: `translateY(${start}px)` }}>
              <Link href={hrefOf(item)} className="row" aria-current={isChosen ? 'true' : undefined}>
                {row(item)}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
