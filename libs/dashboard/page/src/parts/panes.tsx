import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import './panes.css';

interface PanesProps {
  list: ReactNode;
  /** The one thing that was chosen; below 900 px it takes the place of the list. */
  detail?: ReactNode;
  /** Where the list is, and what it is called: the way back on narrow screens. */
  back: { href: string; title: string };
}

/** A list, and at its right the one thing that was chosen of it; on narrow screens one of them at a time. */
export function Panes({ list, detail, back }: PanesProps) {
  const isOpen = detail !== undefined && detail !== null && detail !== false;
  const frame = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current !== isOpen) leadFocus(frame.current, isOpen);
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <div ref={frame} className={isOpen ? 'panes open' : 'panes'}>
      <div className="list-pane">{list}</div>
      {isOpen && (
        <section className="detail-pane" aria-label="Chosen">
          {/* Where the list is hidden, and its heading with it. */}
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

/** What had the focus is hidden by what opened in its place, or went away with what was closed: it goes on from there. */
function leadFocus(frame: HTMLElement | null, isOpen: boolean): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.checkVisibility()) return;
  frame?.querySelector<HTMLElement>(isOpen ? '.way-title' : '.virtual-list, .list-pane h1')?.focus();
}
