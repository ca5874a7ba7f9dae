import type { ReactNode } from 'react';
import './screen-head.css';

/** The head of a screen: its name, filters and actions. */
export function ScreenHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="screen-head">
      {/* Takes the focus when the screen is shown. */}
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </header>
  );
}
