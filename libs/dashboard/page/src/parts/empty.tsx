import type { ReactNode } from 'react';
import { CopyButton } from './copyable';
import './empty.css';

interface EmptyProps {
  /** What would be here: "No emails yet". */
  title: string;
  /** What would fill it. */
  children?: ReactNode;
  /** A command to paste. */
  curl?: string;
}

/** What stands where a list is empty: what would fill it, with a command to paste. */
export function Empty({ title, children, curl }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
      {curl !== undefined && <Command text={curl} />}
    </div>
  );
}

/** A command to paste into a shell. */
export function Command({ text }: { text: string }) {
  return (
    <div className="command">
      <pre>{text}</pre>
      <CopyButton value={text} what="the command" />
    </div>
  );
}
