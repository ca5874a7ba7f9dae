import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Snippet } from './snippet';
import './empty.css';

interface EmptyProps {
  icon?: LucideIcon;
  /** The heading: "No emails yet". */
  title: string;
  /** Explains how to add the first row. */
  children?: ReactNode;
  /** A command to paste. */
  curl?: string;
}

/** Placeholder of an empty list: explains how to add the first row, with a command to paste. */
export function Empty({ icon: Icon = Inbox, title, children, curl }: EmptyProps) {
  return (
    <div className="empty">
      <span className="picture">
        <Icon className="icon" size={22} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <h2>{title}</h2>
      {children}
      {curl !== undefined && <Snippet label="Command" texts={[{ name: 'curl', title: 'cURL', text: curl }]} />}
    </div>
  );
}
