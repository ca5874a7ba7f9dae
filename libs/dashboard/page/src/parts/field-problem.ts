import { ApiProblem } from '../api/client';

/** A refusal of one field of a form. */
export interface FieldProblem {
  /** The field's first name: `properties` for `properties.city`. */
  field: string;
  /** Rest of its path: `city`. */
  rest: string | undefined;
  message: string;
}

/** The API's messages start with the name of the field, or say that it is missing. */
const OF_FIELD = /^(?:Missing )?`([A-Za-z_]+)(?:[.[]([^`]*))?`/;

/** The form's field of a refusal; undefined for other refusals. */
export function fieldProblem(error: unknown, fields: readonly string[]): FieldProblem | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const [, field, rest] = OF_FIELD.exec(error.message) ?? [];
  return field !== undefined && fields.includes(field) ? { field, rest, message: error.message } : undefined;
}
