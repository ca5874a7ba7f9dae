import { useState } from 'react';
import { STATES } from '../../../api/types';
import { addressOf } from '../../../parts/address-of';
import type { EmailRow } from '../list/email-row';
import { TEXTS } from '../texts';
import { DateDialog } from './date-dialog';
import { stateOf, valuesOf, withValues } from './search-text';

const texts = TEXTS.filters;

/** Spans that the date select offers, by what is typed for them. */
const SPANS = [
  ['today', texts.today],
  ['24h', texts.lastDay],
  ['7d', texts.lastWeek],
] as const;

/** Senders that are offered. */
const SENDERS = 30;
const SEVERAL = 'several';
const CUSTOM = 'custom';
const CHANGE = 'change';

interface FilterSelectsProps {
  text: string;
  rows: readonly EmailRow[];
  onChange: (text: string) => void;
}

/** The most used filters as selects. They show and change what is typed in the search box. */
export function FilterSelects({ text, rows, onChange }: FilterSelectsProps) {
  const [isDateOpen, setDateOpen] = useState(false);
  const states = valuesOf(text, 'last_event').map((word) => stateOf(word.toLowerCase()));
  const sender = valuesOf(text, 'from')[0] ?? '';
  const onDate = (value: string) => {
    if (value === CUSTOM || value === CHANGE) setDateOpen(true);
    else onChange(withValues(text, { after: value || null, before: null }));
  };
  const date = dateOf(text);
  return (
    <>
      <select
        aria-label={texts.state}
        value={states.length > 1 ? SEVERAL : (states[0] ?? '')}
        onChange={({ target }) => onChange(withValues(text, { state: target.value || null }))}
      >
        <option value="">{texts.anyState}</option>
        {states.length > 1 && <option value={SEVERAL}>{texts.severalStates}</option>}
        {STATES.map((state) => (
          <option key={state} value={state}>
            {TEXTS.stateNames[state]}
          </option>
        ))}
      </select>
      <select aria-label={texts.date} value={date} onChange={({ target }) => onDate(target.value)}>
        <option value="">{texts.anyDate}</option>
        {SPANS.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
        <option value={CUSTOM}>{date === CUSTOM ? texts.chosenDate : texts.customDate}</option>
        {date === CUSTOM && <option value={CHANGE}>{texts.changeDate}</option>}
      </select>
      <select
        aria-label={texts.sender}
        value={sender}
        onChange={({ target }) => onChange(withValues(text, { from: target.value || null }))}
      >
        <option value="">{texts.anySender}</option>
        {sendersOf(rows, sender).map((address) => (
          <option key={address} value={address}>
            {address}
          </option>
        ))}
      </select>
      {isDateOpen && <DateDialog text={text} onChange={onChange} onClose={() => setDateOpen(false)} />}
    </>
  );
}

/** The chosen sender and those of the list, without repetitions. */
function sendersOf(rows: readonly EmailRow[], chosen: string): string[] {
  const seen = new Set(rows.map(({ from }) => addressOf(from).toLowerCase()));
  seen.delete(chosen.toLowerCase());
  return [...(chosen === '' ? [] : [chosen]), ...[...seen].sort().slice(0, SENDERS)];
}

function dateOf(text: string): string {
  const [after] = valuesOf(text, 'start_date');
  const [before] = valuesOf(text, 'end_date');
  if (after === undefined && before === undefined) return '';
  return before === undefined && SPANS.some(([value]) => value === after) ? (after ?? '') : CUSTOM;
}
