import { record } from '../../shared/openapi/components.js';
import { isLongerThan } from '../../shared/text/text-rules.js';
import { type Rule, ruleDecorator } from '../../shared/validation/rule.js';
import { AUDIENCE_LIMITS } from '../limits.js';

/** Further values of a contact, by name, stored as given. */
export type ContactProperties = Readonly<Record<string, string | number>>;

/** The same in an answer, in Resend's form, which clients read. */
export type ContactPropertyRecords = Readonly<Record<string, ContactPropertyRecord>>;

/** A property in an answer. */
export type ContactPropertyRecord = { type: 'string'; value: string } | { type: 'number'; value: number };

/** New values of properties, by name. Null removes one. */
export type PropertyChanges = Readonly<Record<string, string | number | null>>;

/** As in Resend's answers. */
const KEY = new RegExp(`^[A-Za-z0-9_]{1,${AUDIENCE_LIMITS.propertyName.max}}$`);

export const TOO_MANY = `takes up to ${AUDIENCE_LIMITS.properties.max} properties`;

const properties: Rule = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'must be an object of strings and numbers';
  }
  const entries = Object.entries(value);
  if (entries.length > AUDIENCE_LIMITS.properties.max) return TOO_MANY;
  for (const [key, item] of entries) {
    if (!KEY.test(key)) return `takes keys of 1 to ${AUDIENCE_LIMITS.propertyName.max} letters, digits and underscores`;
    if (item !== null && !isValue(item)) {
      return `.${key} must be a string of up to ${AUDIENCE_LIMITS.propertyText.max} characters or a finite number`;
    }
  }
  return undefined;
};

/** An object of strings and finite numbers; null removes a property. */
export const AreProperties = () =>
  ruleDecorator('areProperties', properties, {
    type: 'object',
    propertyNames: { pattern: KEY.source },
    additionalProperties: { type: ['string', 'number', 'null'], maxLength: AUDIENCE_LIMITS.propertyText.max },
    maxProperties: AUDIENCE_LIMITS.properties.max,
  });

/** Schema of properties in an answer. */
export const SHOWN_PROPERTIES = {
  type: 'object',
  propertyNames: { pattern: KEY.source },
  additionalProperties: {
    oneOf: [
      record({ type: { const: 'string' }, value: { type: 'string', maxLength: AUDIENCE_LIMITS.propertyText.max } }),
      record({ type: { const: 'number' }, value: { type: 'number' } }),
    ],
  },
  maxProperties: AUDIENCE_LIMITS.properties.max,
};

/** The properties after a change: those that it does not name stay. */
export function changedProperties(known: ContactProperties, changes: PropertyChanges): ContactProperties {
  return presentProperties({ ...known, ...changes });
}

/** Leaves out properties that are null. */
export function presentProperties(values: PropertyChanges): ContactProperties {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string | number] => entry[1] !== null),
  );
}

/** The plain values of properties in the form of an answer; any other value as it is. */
export function plainProperties(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, isShown(value) ? value.value : value]));
}

function isShown(value: unknown): value is ContactPropertyRecord {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { type, value: plain } = value as Partial<ContactPropertyRecord>;
  return plain !== undefined && typeof plain === type;
}

/** Properties in the form of an answer. */
export function shownProperties(values: ContactProperties): ContactPropertyRecords {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, shownProperty(value)]));
}

function shownProperty(value: string | number): ContactPropertyRecord {
  return typeof value === 'string' ? { type: 'string', value } : { type: 'number', value };
}

function isValue(value: unknown): boolean {
  return typeof value === 'string' ? !isLongerThan(value, AUDIENCE_LIMITS.propertyText.max) : Number.isFinite(value);
}
