import { useState } from 'react';
import './copyable.css';

interface CopyableProps {
  /** What is copied, whole. */
  value: string;
  /** What it is, for the button's name: "Copy the id". */
  what: string;
  /** What is shown of it. Default: all. */
  shown?: string;
}

/** A text with a button that copies it. */
export function Copyable({ value, what, shown = value }: CopyableProps) {
  return (
    <span className="bar">
      <span className="mono one-line" title={value}>
        {shown}
      </span>
      <CopyButton value={value} what={what} />
    </span>
  );
}

/** The button alone. Says that it did so for a moment. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const [said, setSaid] = useState('Copy');
  const copy = async () => {
    setSaid((await copyText(value)) ? 'Copied' : 'Select and copy');
    setTimeout(setSaid, 1_500, 'Copy');
  };
  return (
    <button type="button" className="quiet copy-button" aria-label={`${said} ${what}`} onClick={() => void copy()}>
      {said}
    </button>
  );
}

/** The clipboard is there only on https and loopback. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The first part of a UUID. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
