import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../api/session';
import { afterChange, type Kept, valuesOfDraft } from './drafts';

export interface Draft<Values> {
  /** What stands in the form: what was changed, over what is saved. */
  values: Values;
  /** What was saved when the first change was made: what was changed is to be compared with it. */
  base: Values;
  isChanged: boolean;
  change: (changes: Partial<Values>) => void;
  /** Forgets the changes: they are saved, or thrown away. */
  end: () => void;
}

/**
 * What is typed into a form, kept in this tab until it is saved or thrown away, whatever else is looked at meanwhile. It is
 * kept for the key that is signed in: another one does not find it.
 *
 * @param name what is edited, such as `topics/new`. A form of another name must be another component (by its `key`)
 * @param saved what is saved, as the form has it
 */
export function useDraft<Values extends object>(name: string, saved: Values): Draft<Values> {
  const { data: session } = useQuery(sessionQuery);
  const place = `nestjs-emails draft ${session?.key?.id ?? 'host'} ${name}`;
  const [kept, setKept] = useState(() => read<Values>(place));
  const keep = (next: Kept<Values> | undefined) => {
    setKept(next);
    if (next === undefined) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(next));
  };
  return {
    values: valuesOfDraft(saved, kept),
    base: kept?.base ?? saved,
    isChanged: kept !== undefined,
    change: (changes) => keep(afterChange(saved, kept, changes)),
    end: () => keep(undefined),
  };
}

function read<Values>(place: string): Kept<Values> | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(place) ?? 'null') as Kept<Values> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
