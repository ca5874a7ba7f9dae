import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'wouter';
import { useListKeys } from './use-list-keys';
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
  /**
   * A row has links and controls of its own, which lie over its link; `lead` is a control at its start. `j` and `k` move
   * the focus until a row is open.
   */
  isLayered?: boolean;
  lead?: (item: Item) => ReactNode;
  /** Called with the focused or open row on `x`. */
  onMark?: ((item: Item) => void) | undefined;
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
 * A list of any length that renders only the visible rows. `j` and `k` go to the next and the previous row, Escape
 * closes; rows are links.
 */
export function VirtualList<Item>({
  label,
  items,
  idOf,
  rowHeight = 40,
  row,
  isLayered = false,
  lead,
  onMark,
  hrefOf,
  chosenId,
  onClose,
  hasMore = false,
  onNeedMore,
  onScrolled,
  onShown,
}: VirtualListProps<Item>) {
  const frame = useRef<HTMLElement>(null);
  const listId = useId();
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

  useListKeys({
    frame,
    items,
    idOf,
    hrefOf,
    chosenId,
    onClose,
    onMark,
    movesFocus: isLayered,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
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
          const current = isChosen ? 'true' : undefined;
          const contentId = `${listId}${key}`;
          return (
            <li key={key} data-id={idOf(item)} style={{ height: rowHeight, transform: `translateY(${start}px)` }}>
              {isLayered ? (
                <>
                  <Link href={hrefOf(item)} className="row" aria-current={current} aria-labelledby={contentId} />
                  <div className="over-row">
                    {lead?.(item)}
                    <div id={contentId}>{row(item)}</div>
                  </div>
                </>
              ) : (
                <Link href={hrefOf(item)} className="row" aria-current={current}>
                  {row(item)}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
