import { type FormEvent, useId, useState } from 'react';
import { FILTER_NAMES, type Filters, withoutPart } from './filters';

interface FilterFieldProps {
  text: string;
  filters: Filters;
  onChange: (text: string) => void;
}

/** Typed filters, shown as removable chips. */
export function FilterField({ text, filters: { parts, problem }, onChange }: FilterFieldProps) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onChange(`${text} ${typed}`.trim());
    setTyped('');
  };
  return (
    <form className="filter-field" onSubmit={onSubmit}>
      {parts.map((part, at) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: the same filter may occur twice
          key={`${at}${part}`}
          type="button"
          className="chip"
          aria-label={`Remove the filter ${part} away`}
          onClick={() => onChange(withoutPart(text, at))}
        >
          {part} <span aria-hidden="true">×</span>
        </button>
      ))}
      <input
        type="search"
        data-search
        aria-label="Filter"
        aria-describedby={problem === undefined ? undefined : id}
        aria-invalid={problem !== undefined}
        placeholder={parts.length === 0 ? FILTER_NAMES.join(' ') : ''}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key === 'Backspace' && typed === '' && parts.length > 0)
            onChange(withoutPart(text, parts.length - 1));
        }}
      />
      {problem !== undefined && (
        <p id={id} className="filter-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
