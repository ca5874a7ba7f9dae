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
  /** A text that is not searched for yet. */
  const [typed, setTyped] = useState<string>();
  const text = typed ?? value;
  const field = useRef<HTMLInputElement>(null);
  const search = (next: string) => {
    setTyped(undefined);
    if (next !== value) onSearch(next);
  };
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    if (typed === undefined) return undefined;
    const timer = setTimeout(() => latest.current(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') search(text);
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData('text').trim();
    // The browser inserts a text among others by itself.
    if (pasted === '' || selectionStart !== 0 || selectionEnd !== text.length) return;
    event.preventDefault();
    search(pasted.replace(/\s+/g, ' '));
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
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => search(text)}
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
            search('');
            field.current?.focus();
          }}
        >
          <X className="icon" size={16} aria-hidden="true" />
        </button>
      )}
    </search>
  );
}
