import { ApiProblem } from '../api/client';

/** What a refusal says of one field of a form. */
export interface FieldProblem {
  /** The field's first name: `properties` for `properties.city`. */
  field: string;
  /** What follows it: `city`. */
  rest: string | undefined;
  message: string;
}

/** The API's messages begin with the field that they are about, or say that it is missing. */
const OF_FIELD = /^(?:Missing )?`([A-Za-z_]+)(?:[.[]([^`]*))?`/;

/** Which of the form's fields a refusal is about; undefined when it is about something else. */
export function fieldProblem(error: unknown, fields: readonly string[]): FieldProblem | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const [, field, rest] = OF_FIELD.exec(error.message) ?? [];
  return field !== undefined && fields.includes(field) ? { field, rest, message: error.message } : undefined;
}
