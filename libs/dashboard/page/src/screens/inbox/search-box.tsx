import { useEffect, useRef, useState } from 'react';

/** Browsers take only so many changes of the address in a time. Milliseconds. */
const PAUSE = 150;

interface SearchBoxProps {
  value: string;
  onChange: (text: string) => void;
}

/** Looks for what is typed, shortly after. */
export function SearchBox({ value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const tell = useRef(onChange);
  tell.current = onChange;
  if (value !== told.current) {
    // Changed from elsewhere, such as by the way back.
    told.current = value;
    setText(value);
  }
  useEffect(() => {
    if (text === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = text;
      tell.current(text);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      className="inbox-search"
      data-search
      aria-label="Search senders, recipients and subjects"
      placeholder="Search"
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
