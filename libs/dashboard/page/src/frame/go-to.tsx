import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/dialog';
import { leaveFirst } from './arrival';
import { type Destination, destinationsOf } from './destinations';
import type { ScreenEntry } from './screens';
import { TEXTS } from './texts';
import './go-to.css';

interface GoToProps {
  screens: readonly ScreenEntry[];
  onClose: () => void;
}

const texts = TEXTS.goTo;

/** Opens any place of the page by a few typed letters: a combobox after the ARIA practices. */
export function GoTo({ screens, onClose }: GoToProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [, navigate] = useLocation();
  const found = destinationsOf(text, screens);
  useEffect(() => field.current?.focus(), []);
  const open = ({ href }: Destination) => {
    onClose();
    leaveFirst();
    navigate(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[at];
    if (step !== undefined && found.length > 0) setAt((at + step + found.length) % found.length);
    else if (event.key === 'Enter' && chosen) open(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <input
        ref={field}
        role="combobox"
        aria-label={texts.field}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] && `${id}-${at}`}
        placeholder={texts.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} className="go-to" role="listbox" aria-label={texts.screens}>
        {found.map((destination, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the combobox
          <div
            key={destination.href}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => open(destination)}
          >
            <bdi>{destination.title}</bdi>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="soft">{texts.none}</p>}
    </Dialog>
  );
}
