/** A draft, as it is kept. */
export interface Kept<Values> {
  /** What was saved when the first change was made. */
  base: Values;
  /** The fields that differ from it. */
  changed: Partial<Values>;
}

/** What is changed over what is saved: fields that nobody touched follow what others save meanwhile. */
export function valuesOfDraft<Values>(saved: Values, kept: Kept<Values> | undefined): Values {
  return { ...saved, ...kept?.changed };
}

/** The draft after a change; undefined once everything is as it was. */
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
