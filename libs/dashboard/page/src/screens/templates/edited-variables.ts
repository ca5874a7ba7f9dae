import { TEXTS } from './texts';

/** A variable in its form fields. */
export interface EditedVariable {
  key: string;
  type: 'string' | 'number';
  /** Null: none, and every email must give a value. */
  fallback: string | null;
}

/** A variable to show: declared, found in the texts, or both. */
export interface ShownVariable extends EditedVariable {
  isUsed: boolean;
  /** Found in the texts, and declared by the next save. */
  isNew: boolean;
}

/** The declared ones, then those that are only used, which are strings without fallback until they are edited. */
export function shownVariables(declared: readonly EditedVariable[], used: Iterable<string>): ShownVariable[] {
  const keys = new Set(used);
  const known = new Set(declared.map(({ key }) => key));
  const found = [...keys].filter((key) => !known.has(key));
  return [
    ...declared.map((variable) => ({ ...variable, isUsed: keys.has(variable.key), isNew: false })),
    ...found.map((key) => ({ key, type: 'string' as const, fallback: null, isUsed: true, isNew: true })),
  ];
}

/** The list with one changed variable, which declares it. */
export function withVariable(declared: readonly EditedVariable[], changed: EditedVariable): EditedVariable[] {
  const { key, type, fallback } = changed;
  const variable = { key, type, fallback };
  return declared.some((known) => known.key === key)
    ? declared.map((known) => (known.key === key ? variable : known))
    : [...declared, variable];
}

/** In the API's format. */
export function variablesToSave(declared: readonly EditedVariable[], used: Iterable<string>) {
  return shownVariables(declared, used).map(({ key, type, fallback }) => ({
    key,
    type,
    fallback_value: fallback !== null && type === 'number' ? Number(fallback) : fallback,
  }));
}

/** Problem of a value of this type, if there is one. */
export function wrongValue(type: EditedVariable['type'], value: string): string | undefined {
  if (type === 'string') return value.length > 2_000 ? TEXTS.variables.tooLong : undefined;
  return value.trim() === '' || !Number.isFinite(Number(value)) ? TEXTS.variables.noNumber : undefined;
}

/** Sample values, and their substitutes. */
export interface Samples {
  /** Values of all variables, for the preview. */
  shown: Record<string, string | number>;
  /** The filled-in values, for an email. */
  given: Record<string, string | number>;
  /** Keys without sample value and without fallback. */
  missing: string[];
}

/** Values for the preview and a test. A value of a wrong type counts as absent. */
export function samplesOf(variables: readonly EditedVariable[], kept: Readonly<Record<string, string>>): Samples {
  const samples: Samples = { shown: {}, given: {}, missing: [] };
  for (const { key, type, fallback } of variables) {
    const given = typed(type, Object.hasOwn(kept, key) ? kept[key] : undefined);
    const value = given ?? typed(type, fallback ?? undefined);
    if (given !== undefined) samples.given[key] = given;
    if (value === undefined) samples.missing.push(key);
    samples.shown[key] = value ?? `[${key}]`;
  }
  return samples;
}

function typed(type: EditedVariable['type'], value: string | undefined): string | number | undefined {
  if (value === undefined || wrongValue(type, value)) return undefined;
  return type === 'number' ? Number(value) : value;
}
