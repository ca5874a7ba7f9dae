/** The selected emails: these, or all that match the search. */
export type Selection = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'all' };

export const NOTHING: Selection = { kind: 'some', ids: new Set() };

export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === 'all' || selection.ids.has(id);
}

export function isEmpty(selection: Selection): boolean {
  return selection.kind === 'some' && selection.ids.size === 0;
}

/** Selects a row, or no longer. Of all that match, those of the list stay selected. @param listed ids of the list */
export function toggled(selection: Selection, id: string, listed: readonly string[]): Selection {
  const ids = new Set(selection.kind === 'all' ? listed : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { kind: 'some', ids };
}

/** Selects every row from one to another, in any order. */
export function withRange(selection: Selection, from: string, to: string, listed: readonly string[]): Selection {
  if (selection.kind === 'all') return selection;
  const [a, b] = [listed.indexOf(from), listed.indexOf(to)];
  const range = a < 0 || b < 0 ? [to] : listed.slice(Math.min(a, b), Math.max(a, b) + 1);
  return { kind: 'some', ids: new Set([...selection.ids, ...range]) };
}
