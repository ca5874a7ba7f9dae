import type { ReactNode } from 'react';
import './row.css';

/** Height of a row of two lines. Pixels. */
export const ROW_HEIGHT = 64;

interface RowProps {
  /** A subject, a name. */
  title: ReactNode;
  /** People and the like, under the title. */
  second: ReactNode;
  time: ReactNode;
  /** The badge, under the time. */
  mark?: ReactNode;
}

/** The content of a row in a list, on two lines at every width. */
export function Row({ title, second, time, mark }: RowProps) {
  return (
    <span className="two-lines">
      <span className="one-line title">{title}</span>
      <span className="time">{time}</span>
      <span className="second">{second}</span>
      <span className="mark">{mark}</span>
    </span>
  );
}
