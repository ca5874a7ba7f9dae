import { Search as SearchIcon, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TEXTS } from '../texts';

/** Delay between the last key and the search. Milliseconds. */
const PAUSE = 300;

const texts = TEXTS.search;

interface SearchBoxProps {
  value: string;
  onSearch: (text: string) => void;
  describedBy: string | undefined;
}

/** One field for every search. It searches after a short pause, on Enter, and for a pasted text at once. */
export function SearchBox({ value, onSearch, describedBy }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const reported = useRef(value);
  if (value !== reported.current) {
    // Changed elsewhere: by a select, or by the back button.
    reported.current = value;
    setText(value);
  }
  const report = (next: string) => {
    setText(next);
    if (next === reported.current) return;
    reported.current = next;
    onSearch(next);
  };
  const latest = useRef(report);
  latest.current = report;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') report(text);
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData('text').trim();
    // The browser inserts a text among others by itself.
    if (pasted === '' || selectionStart !== 0 || selectionEnd !== text.length) return;
    event.preventDefault();
    report(pasted.replace(/\s+/g, ' '));
  };
  return (
    <search className="search-box">
      <SearchIcon className="icon" size={16} aria-hidden="true" />
      <input
        ref={field}
        type="text"
        inputMode="search"
        data-search
        aria-label={texts.field}
        aria-describedby={describedBy}
        aria-invalid={describedBy !== undefined}
        placeholder={texts.placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => report(text)}
        onPaste={onPaste}
      />
      {text === '' ? (
        <span className="hint" aria-hidden="true">
          <kbd>/</kbd>
        </span>
      ) : (
        <button
          type="button"
          className="quiet"
          aria-label={texts.clear}
          title={texts.clear}
          onClick={() => {
            report('');
            field.current?.focus();
          }}
        >
          <X className="icon" size={16} aria-hidden="true" />
        </button>
      )}
    </search>
  );
}
