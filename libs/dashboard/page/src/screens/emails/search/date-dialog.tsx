import { useState } from 'react';
import { Field } from '../../../parts/field';
import { FormDialog } from '../../../parts/form-dialog';
import { TEXTS } from '../texts';
import { valuesOf, withValues } from './search-text';
import { dateOf, dayFrom } from './search-times';

const texts = TEXTS.filters;

/** The API takes years of four digits, also of the day after. */
const LAST = '9999-12-30';

interface DateDialogProps {
  text: string;
  onChange: (text: string) => void;
  onClose: () => void;
}

/** A span from day to day, in the reader's zone. */
export function DateDialog({ text, onChange, onClose }: DateDialogProps) {
  const now = Date.now();
  const before = dateOf(valuesOf(text, 'end_date')[0], now);
  const [from, setFrom] = useState(dateOf(valuesOf(text, 'start_date')[0], now));
  const [to, setTo] = useState(before && dayFrom(before, -1));
  const isReversed = from !== '' && to !== '' && to < from;
  const apply = () => {
    onChange(withValues(text, { after: from || null, before: to ? dayFrom(to, 1) : null }));
    onClose();
  };
  const field = (label: string, value: string, set: (date: string) => void, error?: string) => (
    <Field label={label} error={error}>
      {(ids) => <input {...ids} type="date" max={LAST} value={value} onChange={({ target }) => set(target.value)} />}
    </Field>
  );
  return (
    <FormDialog
      title={texts.dateTitle}
      action={texts.dateAction}
      task={{ mutate: apply }}
      isIncomplete={isReversed}
      onClose={onClose}
    >
      {field(texts.dateFrom, from, setFrom)}
      {field(texts.dateTo, to, setTo, isReversed ? texts.dateOrder : undefined)}
      <p className="soft">{texts.dateHint}</p>
    </FormDialog>
  );
}
