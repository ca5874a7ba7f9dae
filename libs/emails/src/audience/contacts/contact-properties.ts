import { isLongerThan } from '../../shared/text/text-rules.js';
import type { Rule } from '../../shared/validation/rule.js';

/** What a host knows of a contact besides, by name: kept as it was given. */
export type ContactProperties = Readonly<Record<string, string | number>>;

/** The same in an answer, in the form that clients read: that of Resend. */
export type ContactPropertyRecords = Readonly<Record<string, ContactPropertyRecord>>;

/** A property in an answer. */
export type ContactPropertyRecord = { type: 'string'; value: string } | { type: 'number'; value: number };

/** New values of properties, by name. Null: without it. */
export type PropertyChanges = Readonly<Record<string, string | number | null>>;

export const MAX_PROPERTIES = 100;
/** Of a value. */
const MAX_CHARACTERS = 2_000;
/** As Resend has it. */
const KEY = /^[A-Za-z0-9_]{1,50}$/;

export const TOO_MANY = `takes up to ${MAX_PROPERTIES} properties`;

/** An object of strings and finite numbers, and of null where a property is to be absent. */
export const properties: Rule<PropertyChanges> = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'must be an object of strings and numbers';
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_PROPERTIES) return TOO_MANY;
  for (const [key, item] of entries) {
    if (!KEY.test(key)) return 'takes keys of 1 to 50 letters, digits and underscores';
    if (item !== null && !isValue(item)) {
      return `.${key} must be a string of up to ${MAX_CHARACTERS} characters or a finite number`;
    }
  }
  return undefined;
};

/** Those that there are after a change: what it does not name stays. */
export function changedProperties(known: ContactProperties, changes: PropertyChanges): ContactProperties {
  return presentProperties({ ...known, ...changes });
}

/** Without those that are null. */
export function presentProperties(values: PropertyChanges): ContactProperties {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string | number] => entry[1] !== null),
  );
}

/** The values of what an answer had, where that is sent back; everything else as it is. */
export function plainProperties(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, isShown(value) ? value.value : value]));
}

function isShown(value: unknown): value is ContactPropertyRecord {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { type, value: plain } = value as Partial<ContactPropertyRecord>;
  return plain !== undefined && typeof plain === type;
}

/** Properties as an answer has them. */
export function shownProperties(values: ContactProperties): ContactPropertyRecords {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, shownProperty(value)]));
}

function shownProperty(value: string | number): ContactPropertyRecord {
  return typeof value === 'string' ? { type: 'string', value } : { type: 'number', value };
}

function isValue(value: unknown): boolean {
  return typeof value === 'string' ? !isLongerThan(value, MAX_CHARACTERS) : Number.isFinite(value);
}
