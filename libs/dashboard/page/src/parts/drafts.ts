/** A stored draft. */
export interface Kept<Values> {
  /** The saved values at the first change. */
  base: Values;
  /** The fields that differ from it. */
  changed: Partial<Values>;
}

/** Changes over the saved values: untouched fields follow later saves of others. */
export function valuesOfDraft<Values>(saved: Values, kept: Kept<Values> | undefined): Values {
  return { ...saved, ...kept?.changed };
}

/** The draft after a change; undefined once all values are equal to the saved ones. */
export function afterChange<Values extends object>(
  saved: Values,
  kept: Kept<Values> | undefined,
  changes: Partial<Values>,
): Kept<Values> | undefined {
  const base = kept?.base ?? saved;
  const changed = { ...kept?.changed, ...changes };
  for (const name of Object.keys(changed) as (keyof Values)[]) {
    if (JSON.stringify(changed[name]) === JSON.stringify(base[name])) delete changed[name];
  }
  return Object.keys(changed).length === 0 ? undefined : { base, changed };
}
