import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import './panes.css';

interface PanesProps {
  list: ReactNode;
  /** The selected object; below 900 px it replaces the list. */
  detail?: ReactNode;
  /** Path and name of the list, for the back link on narrow screens. */
  back: { href: string; title: string };
}

/** A list with the selected object to its right; on narrow screens one of the two. */
export function Panes({ list, detail, back }: PanesProps) {
  const isOpen = detail !== undefined && detail !== null && detail !== false;
  const frame = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current !== isOpen) moveFocus(frame.current, isOpen);
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <div ref={frame} className={isOpen ? 'panes open' : 'panes'}>
      <div className="list-pane">{list}</div>
      {isOpen && (
        <section className="detail-pane" aria-label="Chosen">
          {/* For screens where the list and its heading are hidden. */}
          <h1 className="only-read way-title" tabIndex={-1}>
            {back.title}
          </h1>
          <Link href={back.href} className="way-back">
            ← {back.title}
          </Link>
          {detail}
        </section>
      )}
    </div>
  );
}

/** Moves the focus when a newly opened pane hides the focused element, or a closed one removes it. */
function moveFocus(frame: HTMLElement | null, isOpen: boolean): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.checkVisibility()) return;
  frame?.querySelector<HTMLElement>(isOpen ? '.way-title' : '.virtual-list, .list-pane h1')?.focus();
}
