import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import './copyable.css';

interface CopyableProps {
  /** The copied text. */
  value: string;
  /** Its name in the button's label: "Copy the id". */
  what: string;
  /** The shown text. Default: all of it. */
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

/** The button alone. It confirms the copy briefly. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const [label, setLabel] = useState('Copy');
  const copy = async () => {
    setLabel((await copyText(value)) ? 'Copied' : 'Select and copy');
    setTimeout(setLabel, 1_500, 'Copy');
  };
  return (
    <button type="button" className="quiet copy-button" aria-label={`${label} ${what}`} onClick={() => void copy()}>
      {label === 'Copied' ? (
        <Check className="icon" size={14} aria-hidden="true" />
      ) : (
        <Copy className="icon" size={14} aria-hidden="true" />
      )}
      {label}
    </button>
  );
}

/** The clipboard is available only on https and loopback. */
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
