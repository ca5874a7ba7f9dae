import { useId, useRef } from 'react';
import type { PropertyRow } from './properties';

interface PropertyRowsProps {
  rows: readonly PropertyRow[];
  /** A problem, and its row if known. */
  problem: { index?: number; message: string } | undefined;
  onChange: (rows: PropertyRow[]) => void;
}

/** Further values of a contact: names with texts or numbers. */
export function PropertyRows({ rows, problem, onChange }: PropertyRowsProps) {
  const id = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  const change = (index: number, changes: Partial<PropertyRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)));
  const add = () => {
    onChange([...rows, { key: '', type: 'string', value: '' }]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus());
  };
  const remove = (index: number) => {
    onChange(rows.filter((_, at) => at !== index));
    list.current?.querySelector<HTMLElement>('.add')?.focus();
  };
  return (
    <fieldset ref={list} className="properties field" aria-describedby={`${id}-more`}>
      <legend>Properties</legend>
      <ul>
        {rows.map((row, index) => {
          const isWrong = problem !== undefined && (problem.index ?? index) === index;
          const name = row.key === '' ? `property ${index + 1}` : row.key;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other stable key while it is edited
            <li key={index}>
              <input
                aria-label={`Name of property ${index + 1}`}
                aria-invalid={isWrong}
                placeholder="name"
                spellCheck={false}
                autoComplete="off"
                value={row.key}
                onChange={({ target }) => change(index, { key: target.value })}
              />
              <select
                aria-label={`Kind of ${name}`}
                value={row.type}
                onChange={({ target }) => change(index, { type: target.value as PropertyRow['type'] })}
              >
                <option value="string">text</option>
                <option value="number">number</option>
              </select>
              <input
                aria-label={`Value of ${name}`}
                aria-invalid={isWrong}
                placeholder="value"
                autoComplete="off"
                value={row.value}
                onChange={({ target }) => change(index, { value: target.value })}
              />
              <button type="button" className="quiet" aria-label={`Remove ${name}`} onClick={() => remove(index)}>
                ✕
              </button>
            </li>
          );
        })}
      </ul>
      <div>
        <button type="button" className="add" onClick={add}>
          Add a property
        </button>
      </div>
      <span id={`${id}-more`} className={problem ? 'error' : 'soft'}>
        {problem?.message ?? 'Texts or numbers, by names of letters, digits and underscores.'}
      </span>
    </fieldset>
  );
}
