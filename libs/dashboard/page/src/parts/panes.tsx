import type { ReactNode } from 'react';
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
  return (
    <div className={isOpen ? 'panes open' : 'panes'}>
      <div className="list-pane">{list}</div>
      {isOpen && (
        <section className="detail-pane" aria-label="Chosen">
          <Link href={back.href} className="way-back">
            ← {back.title}
          </Link>
          {detail}
        </section>
      )}
    </div>
  );
}
