import type { Contact } from '../../api/types';
import { TEXTS } from './texts';

const texts = TEXTS.properties;

/** A property in the form. A number is a text there, too. */
export interface PropertyRow {
  key: string;
  type: 'string' | 'number';
  value: string;
}

/** Sorted by name, because the API promises no order. */
export function rowsOf(properties: Contact['properties']): PropertyRow[] {
  return Object.entries(properties)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { type, value }]) => ({ key, type, value: String(value) }));
}

/** Fields of a change: new and changed values by name, null for removed ones. A row without a name is left out. */
export function propertyChanges(
  base: readonly PropertyRow[],
  rows: readonly PropertyRow[],
): Record<string, string | number | null> {
  const named = rows.filter(({ key }) => key !== '');
  const removed = base.filter(({ key }) => !named.some((row) => row.key === key));
  const others = named.filter((row) => !base.some((was) => isSame(was, row)));
  return Object.fromEntries([
    ...removed.map(({ key }) => [key, null] as const),
    ...others.map(({ key, type, value }) => [key, type === 'number' ? Number(value) : value] as const),
  ]);
}

/** Problems that the API cannot see, or cannot attribute to a row: missing or duplicate names, and invalid numbers. */
export function wrongWithRows(rows: readonly PropertyRow[]): { index: number; message: string } | undefined {
  for (const [index, { key, type, value }] of rows.entries()) {
    if (key === '' && value !== '') return { index, message: texts.needsName };
    if (key !== '' && rows.findIndex((row) => row.key === key) < index) {
      return { index, message: texts.twice(key) };
    }
    if (key !== '' && type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) {
      return { index, message: texts.noNumber(key) };
    }
  }
  return undefined;
}

function isSame(one: PropertyRow, other: PropertyRow): boolean {
  return one.key === other.key && one.type === other.type && one.value === other.value;
}
