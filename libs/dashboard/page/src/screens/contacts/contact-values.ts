import type { Contact } from '../../api/types';
import { type PropertyRow, propertyChanges, rowsOf } from './properties';

/** A contact in its form. */
export interface ContactValues {
  email: string;
  first_name: string;
  last_name: string;
  unsubscribed: boolean;
  properties: PropertyRow[];
}

export const FIELDS: readonly string[] = ['email', 'first_name', 'last_name', 'unsubscribed', 'properties'];

export const NEW_CONTACT: ContactValues = {
  email: '',
  first_name: '',
  last_name: '',
  unsubscribed: false,
  properties: [],
};

/** Initial values of the form for an existing contact. */
export function valuesOf({ email, first_name, last_name, unsubscribed, properties }: Contact): ContactValues {
  return {
    email,
    first_name: first_name ?? '',
    last_name: last_name ?? '',
    unsubscribed,
    properties: rowsOf(properties),
  };
}

/** The body of `PATCH /contacts/:id`: the differences from `base`. Null clears a name. */
export function changesOf(base: ContactValues, values: ContactValues): Record<string, unknown> {
  const { first_name, last_name, unsubscribed } = values;
  const properties = propertyChanges(base.properties, values.properties);
  return {
    ...(first_name !== base.first_name && { first_name: first_name === '' ? null : first_name }),
    ...(last_name !== base.last_name && { last_name: last_name === '' ? null : last_name }),
    ...(unsubscribed !== base.unsubscribed && { unsubscribed }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

/** The body of `POST /contacts`. Empty fields are left out. */
export function bodyOf(values: ContactValues): Record<string, unknown> {
  return { email: values.email.trim(), ...changesOf(NEW_CONTACT, values) };
}
