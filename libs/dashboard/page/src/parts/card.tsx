import { type ReactNode, useId } from 'react';
import './card.css';

interface CardProps {
  title: string;
  /** Shown at the end of the title's line. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a screen with its own title. */
export function Card({ title, aside, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div className="end">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
