import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readItem, writeItem } from '../api/browser-storage';
import { sessionQuery } from '../api/session';
import { afterChange, type Kept, valuesOfDraft } from './drafts';

export interface Draft<Values> {
  /** Values of the form: changes over the saved values. */
  values: Values;
  /** The saved values at the first change, to compare the changes with. */
  base: Values;
  isChanged: boolean;
  change: (changes: Partial<Values>) => void;
  /** Drops the changes after they were saved or discarded. */
  end: () => void;
}

/**
 * Input of a form, kept in this tab across screens until it is saved or discarded. It belongs to the signed-in key:
 * another one does not find it.
 *
 * @param name of the edited object, such as `topics/new`. A form of another name must be another component (by its
 * `key`)
 * @param saved the saved values in the form's format
 */
export function useDraft<Values extends object>(name: string, saved: Values): Draft<Values> {
  const { data: session } = useQuery(sessionQuery);
  const key = `nestjs-emails draft ${session?.key?.id ?? 'host'} ${name}`;
  const [kept, setKept] = useState(() => read<Values>(key));
  const keep = (next: Kept<Values> | undefined) => {
    setKept(next);
    writeItem('sessionStorage', key, next === undefined ? null : JSON.stringify(next));
  };
  return {
    values: valuesOfDraft(saved, kept),
    base: kept?.base ?? saved,
    isChanged: kept !== undefined,
    change: (changes) => keep(afterChange(saved, kept, changes)),
    end: () => keep(undefined),
  };
}

function read<Values>(key: string): Kept<Values> | undefined {
  try {
    return (JSON.parse(readItem('sessionStorage', key) ?? 'null') as Kept<Values> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
