import type { Contact } from '../../api/types';

/** A property as the form has it. A number is typed as text, too. */
export interface PropertyRow {
  key: string;
  type: 'string' | 'number';
  value: string;
}

/** In the order of their names: the API promises none. */
export function rowsOf(properties: Contact['properties']): PropertyRow[] {
  return Object.entries(properties)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { type, value }]) => ({ key, type, value: String(value) }));
}

/** What a change says: new and other values by name, null for those that are gone. A row without a name says nothing. */
export function propertyChanges(
  base: readonly PropertyRow[],
  rows: readonly PropertyRow[],
): Record<string, string | number | null> {
  const named = rows.filter(({ key }) => key !== '');
  const gone = base.filter(({ key }) => !named.some((row) => row.key === key));
  const others = named.filter((row) => !base.some((was) => isSame(was, row)));
  return Object.fromEntries([
    ...gone.map(({ key }) => [key, null] as const),
    ...others.map(({ key, type, value }) => [key, type === 'number' ? Number(value) : value] as const),
  ]);
}

/** What the API cannot see, or could not say of a row: names that are missing or doubled, and numbers that are none. */
export function wrongWithRows(rows: readonly PropertyRow[]): { index: number; message: string } | undefined {
  for (const [index, { key, type, value }] of rows.entries()) {
    if (key === '' && value !== '') return { index, message: 'A property needs a name.' };
    if (key !== '' && rows.findIndex((row) => row.key === key) < index) {
      return { index, message: `There are two properties with the name ${key}.` };
    }
    if (key !== '' && type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) {
      return { index, message: `${key} must be a number such as 12 or 0.5, or else a text.` };
    }
  }
  return undefined;
}

function isSame(one: PropertyRow, other: PropertyRow): boolean {
  return one.key === other.key && one.type === other.type && one.value === other.value;
}
