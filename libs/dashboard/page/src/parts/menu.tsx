import type { LucideIcon } from 'lucide-react';
import { Ellipsis } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import './menu.css';

/** An action of a menu. */
export interface MenuItem {
  name: string;
  icon: LucideIcon;
  isDangerous?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** True for one that has a button of its own on wide screens. */
  onlyNarrow?: boolean | undefined;
  run: () => void;
}

/** Actions behind one button, after the ARIA practices: arrows move between them, Escape closes. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) visibleIn(list.current)[0]?.focus();
  }, [isOpen]);
  const close = () => {
    button.current?.focus();
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = visibleIn(list.current);
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (to === undefined) return;
    else all.at(to % all.length)?.focus();
    event.preventDefault();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== button.current && !currentTarget.contains(relatedTarget)) setOpen(false);
  };
  return (
    <div className="menu">
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis className="icon" size={14} aria-hidden="true" /> {label}
      </button>
      {isOpen && (
        <div
          ref={list}
          id={id}
          role="menu"
          aria-label={label}
          className="menu-items"
          tabIndex={-1}
          onKeyDown={onKeyDown}
          onBlur={onBlur}
        >
          {items.map(({ name, icon: Icon, isDangerous, isDisabled, onlyNarrow, run }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={`quiet${isDangerous ? ' danger' : ''}${onlyNarrow ? ' only-narrow' : ''}`}
              disabled={isDisabled}
              onClick={() => {
                close();
                run();
              }}
            >
              <Icon className="icon" size={14} aria-hidden="true" /> {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function visibleIn(list: HTMLElement | null): HTMLElement[] {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]:enabled') ?? [])];
  return items.filter((item) => item.checkVisibility());
}
