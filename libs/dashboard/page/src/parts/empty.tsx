import type { ReactNode } from 'react';
import { CopyButton } from './copyable';
import './empty.css';

interface EmptyProps {
  /** The heading: "No emails yet". */
  title: string;
  /** Explains how to add the first row. */
  children?: ReactNode;
  /** A command to paste. */
  curl?: string;
}

/** Placeholder of an empty list: explains how to add the first row, with a command to paste. */
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
