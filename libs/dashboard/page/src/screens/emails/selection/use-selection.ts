import { useEffect, useRef, useState } from 'react';
import { NOTHING, type Selection, toggled, withRange } from './selection';

/** The selection in a list. Another search selects nothing. */
export function useSelection(query: object) {
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const anchor = useRef<string>(undefined);
  const searched = useRef(query);
  useEffect(() => {
    // A screen that is shown again after a sign-in runs its effects again.
    if (searched.current !== query) setSelection(NOTHING);
    searched.current = query;
  }, [query]);
  return {
    selection,
    /** @param isRange true to select all rows since the one that was selected last */
    toggle: (id: string, rows: readonly { id: string }[], isRange = false) => {
      const listed = rows.map((row) => row.id);
      const from = anchor.current;
      anchor.current = id;
      setSelection((before) =>
        isRange && from !== undefined ? withRange(before, from, id, listed) : toggled(before, id, listed),
      );
    },
    selectAll: () => setSelection({ kind: 'all' }),
    clear: () => setSelection(NOTHING),
  };
}
