import { useEffect, useRef, useState } from 'react';
import { TEXTS } from './texts';

/** Delay of changes to the address, which browsers limit. Milliseconds. */
const PAUSE = 150;

interface SearchBoxProps {
  value: string;
  onChange: (text: string) => void;
}

/** Searches for the typed text after a short delay. */
export function SearchBox({ value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const report = useRef(onChange);
  report.current = onChange;
  if (value !== reported.current) {
    // Changed from outside, such as by the back button.
    reported.current = value;
    setText(value);
  }
  useEffect(() => {
    if (text === reported.current) return undefined;
    const timer = setTimeout(() => {
      reported.current = text;
      report.current(text);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      className="inbox-search"
      data-search
      aria-label={TEXTS.search}
      placeholder={TEXTS.searchHint}
      title={TEXTS.searchHint}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
