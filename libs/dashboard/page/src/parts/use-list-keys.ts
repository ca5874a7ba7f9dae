import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useShortcuts } from '../hooks/use-shortcuts';

interface ListKeysOptions<Item> {
  /** The list; each row is in an element with its `data-id`. */
  frame: RefObject<HTMLElement | null>;
  items: readonly Item[];
  idOf: (item: Item) => string;
  hrefOf: (item: Item) => string;
  chosenId: string | undefined;
  onClose: (() => void) | undefined;
  onMark: ((item: Item) => void) | undefined;
  /** True if `j` and `k` move the focus while no row is open; else they open a row. */
  movesFocus: boolean;
  scrollTo: (index: number) => void;
}

/** The keys of a list: `j`, `k`, Escape, and `x` where rows can be marked. */
export function useListKeys<Item>(options: ListKeysOptions<Item>): void {
  const { frame, items, idOf, hrefOf, chosenId, onClose, onMark, movesFocus, scrollTo } = options;
  const [, navigate] = useLocation();
  /** The row that had the focus last: its element is removed when it is scrolled away. */
  const focusedId = useRef<string>(undefined);
  /** The row that gets the focus once it is rendered. */
  const wantedId = useRef<string>(undefined);
  const focusWanted = () => {
    const { current: id } = wantedId;
    const link = id && frame.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] .row`);
    if (!link) return;
    wantedId.current = undefined;
    link.focus({ preventScroll: true });
  };
  useEffect(focusWanted);
  useEffect(() => {
    const { current } = frame;
    const note = ({ target }: FocusEvent) => {
      const row = target instanceof Element && target.closest<HTMLElement>('[data-id]');
      if (row) focusedId.current = row.dataset.id;
    };
    current?.addEventListener('focusin', note);
    return () => current?.removeEventListener('focusin', note);
  }, [frame]);

  const currentIndex = () => {
    const id = chosenId ?? (movesFocus ? focusedId.current : undefined);
    return items.findIndex((item) => idOf(item) === id);
  };
  const step = (by: number) => {
    const at = currentIndex();
    const index = at < 0 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1);
    const next = items[index];
    if (next === undefined) return;
    scrollTo(index);
    if (movesFocus && chosenId === undefined) {
      wantedId.current = idOf(next);
      focusWanted();
      return;
    }
    // One step back leads to the list, regardless of the number of opened rows.
    navigate(hrefOf(next), { replace: chosenId !== undefined });
  };
  const mark = () => {
    const item = items[currentIndex()];
    if (item !== undefined) onMark?.(item);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ...(onMark && { x: mark }),
    ...(onClose && chosenId !== undefined && { Escape: onClose }),
  });
}
