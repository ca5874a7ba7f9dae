import { type FormEvent, useState } from 'react';
import { daysOf, type Granularity, granularitiesOf, PRESETS, type Range } from './range';
import { TEXTS } from './texts';

interface RangeChoiceProps {
  range: Range;
  onChoose: (name: string, from?: string, to?: string) => void;
  onGranularity: (name: Granularity) => void;
}

/** Ranges that end now, custom days, and the length of the bars. */
export function RangeChoice({ range, onChoose, onGranularity }: RangeChoiceProps) {
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
        <legend className="only-read">{TEXTS.range}</legend>
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
          {TEXTS.custom}
        </button>
      </fieldset>
      {isOwn && (
        <form className="bar metrics-own" key={`${from} ${to}`} onSubmit={onSubmit}>
          <label>
            {TEXTS.from} <input type="date" name="from" required defaultValue={from} />
          </label>
          <label>
            {TEXTS.to} <input type="date" name="to" required defaultValue={to} />
          </label>
          <button type="submit">{TEXTS.apply}</button>
        </form>
      )}
      <GranularityChoice range={range} onChoose={onGranularity} />
    </>
  );
}

/** The length of the bars, where there is a choice. */
function GranularityChoice({ range, onChoose }: { range: Range; onChoose: (name: Granularity) => void }) {
  const names = granularitiesOf(range);
  if (names.length < 2) return null;
  return (
    <select
      className="metrics-by"
      aria-label={TEXTS.granularity}
      value={range.granularity}
      onChange={({ target }) => onChoose(target.value as Granularity)}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {TEXTS.by[name]}
        </option>
      ))}
    </select>
  );
}
