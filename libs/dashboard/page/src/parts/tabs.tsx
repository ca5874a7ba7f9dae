import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import './tabs.css';

interface TabsProps<Name extends string> {
  /** Their subject, for assistive technology. */
  label: string;
  tabs: readonly { name: Name; title: string }[];
  chosen: Name;
  onChoose: (name: Name) => void;
  children: React.ReactNode;
}

/** Tabs after the ARIA practices: one stop for Tab, arrows between them. The panel shows the selected one. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // Scrolls only sideways if they do not fit, so that the surroundings stay in place.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[data-name="${chosen}"]`);
    if (!list.current || !tab) return;
    const start = tab.offsetLeft - list.current.offsetLeft;
    const { scrollLeft, clientWidth } = list.current;
    if (start < scrollLeft) list.current.scrollLeft = start;
    else if (start + tab.offsetWidth > scrollLeft + clientWidth) {
      list.current.scrollLeft = start + tab.offsetWidth - clientWidth;
    }
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-name="${next.name}"]`)?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-name={name}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
