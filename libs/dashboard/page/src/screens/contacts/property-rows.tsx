import { X } from 'lucide-react';
import { useId, useRef } from 'react';
import type { PropertyRow } from './properties';
import { TEXTS } from './texts';

const texts = TEXTS.properties;

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
      <legend>{texts.title}</legend>
      <ul>
        {rows.map((row, index) => {
          const isWrong = problem !== undefined && (problem.index ?? index) === index;
          const name = row.key === '' ? texts.unnamed(index + 1) : row.key;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other stable key while it is edited
            <li key={index}>
              <input
                aria-label={texts.nameOf(index + 1)}
                aria-invalid={isWrong}
                placeholder={texts.name}
                spellCheck={false}
                autoComplete="off"
                value={row.key}
                onChange={({ target }) => change(index, { key: target.value })}
              />
              <select
                aria-label={texts.typeOf(name)}
                value={row.type}
                onChange={({ target }) => change(index, { type: target.value as PropertyRow['type'] })}
              >
                <option value="string">{texts.text}</option>
                <option value="number">{texts.number}</option>
              </select>
              <input
                aria-label={texts.valueOf(name)}
                aria-invalid={isWrong}
                placeholder={texts.value}
                autoComplete="off"
                value={row.value}
                onChange={({ target }) => change(index, { value: target.value })}
              />
              <button
                type="button"
                className="quiet"
                aria-label={texts.removeOf(name)}
                title={texts.remove}
                onClick={() => remove(index)}
              >
                <X className="icon" size={16} aria-hidden="true" />
              </button>
            </li>
          );
        })}
      </ul>
      <div>
        <button type="button" className="add" onClick={add}>
          {texts.add}
        </button>
      </div>
      <span id={`${id}-more`} className={problem ? 'error' : 'soft'}>
        {problem?.message ?? texts.hint}
      </span>
    </fieldset>
  );
}
