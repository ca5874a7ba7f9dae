import { type FormEvent, useState } from 'react';
import { daysOf, PRESETS, type Range } from './range';

interface RangeChoiceProps {
  range: Range;
  onChoose: (name: string, from?: string, to?: string) => void;
}

/** Ranges that end now, and custom days. */
export function RangeChoice({ range, onChoose }: RangeChoiceProps) {
  const [isOwnOpen, setOwnOpen] = useState(range.name === 'own');
  const isOwn = isOwnOpen || range.name === 'own';
  const { from, to } = daysOf(range, new Date());
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    onChoose('own', String(given.get('from')), String(given.get('to')));
  };
  return (
    <>
      <fieldset className="metrics-ranges">
        <legend className="only-read">Time</legend>
        {PRESETS.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            aria-pressed={!isOwn && name === range.name}
            onClick={() => {
              setOwnOpen(false);
              onChoose(name);
            }}
          >
            {title}
          </button>
        ))}
        <button type="button" aria-pressed={isOwn} aria-expanded={isOwn} onClick={() => setOwnOpen(true)}>
          Custom
        </button>
      </fieldset>
      {isOwn && (
        <form className="bar metrics-own" key={`${from} ${to}`} onSubmit={onSubmit}>
          <label>
            From <input type="date" name="from" required defaultValue={from} />
          </label>
          <label>
            to <input type="date" name="to" required defaultValue={to} />
          </label>
          <button type="submit">Show</button>
        </form>
      )}
    </>
  );
}
