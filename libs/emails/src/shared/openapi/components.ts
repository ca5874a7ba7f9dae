import { API_ERRORS, type ApiErrorName, HEADERS_OF_ERRORS, HEADERS_OF_NAMES } from '../errors/api-errors.js';
import { LIMITS } from '../limits.js';

/** A part of an OpenAPI 3.1 document: plain JSON. */
export type OpenApiPart = Readonly<Record<string, unknown>>;

/** A module's part of a document: operations, and schemas for its components. */
export interface OpenApiFeature {
  paths: Readonly<Record<string, OpenApiPart>>;
  schemas: Readonly<Record<string, OpenApiPart>>;
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** A reference to one of the schemas below. */
export const schema = (name: string): OpenApiPart => ref('schemas', name);
/** A reference to one of the responses below. */
export const response = (name: string): OpenApiPart => ref('responses', name);

/** A nullable schema, since answers write `null` and never omit a field. */
export const nullable = (type: string): OpenApiPart => ({ type: [type, 'null'] });

/** An object with exactly these fields, all always present. */
export function record(properties: OpenApiPart): OpenApiPart {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** A page of such objects. */
export function listOf(item: OpenApiPart, maxItems = LIMITS.page.max): OpenApiPart {
  return record({
    object: { const: 'list' },
    has_more: { type: 'boolean', description: 'More exist in the direction of travel.' },
    data: { type: 'array', items: item, maxItems },
  });
}

/** A response with a JSON body. */
export function json(description: string, body: OpenApiPart, headers: OpenApiPart = {}): OpenApiPart {
  const named = Object.keys(headers).length > 0 && { headers };
  return { description, ...named, content: { 'application/json': { schema: body } } };
}

/** A response with a CSV file. */
export const csvFile: OpenApiPart = {
  description: "RFC 4180, with a header. A cell that a spreadsheet would take for a formula begins with `'`.",
  headers: { 'content-disposition': { required: true, schema: { type: 'string' } } },
  content: { 'text/csv': { schema: { type: 'string' } } },
};

/** A required body. */
export const body = (content: OpenApiPart): OpenApiPart => ({
  required: true,
  content: { 'application/json': { schema: content } },
});

/** A refusal with this status and all of its names, or with these. */
function refusal(status: number, ...names: readonly ApiErrorName[]): OpenApiPart {
  const known = Object.entries<Readonly<Record<number, string>>>(API_ERRORS).flatMap(([name, { [status]: when }]) =>
    when !== undefined && (names.length === 0 || names.some((one) => one === name)) ? [{ name, when }] : [],
  );
  const description = `${known.map(({ name, when }) => `\`${name}\`: ${when}`).join('. ')}.`;
  const shape = record({
    statusCode: { const: status },
    name: { enum: known.map(({ name }) => name) },
    message: { type: 'string' },
  });
  const header = (required: boolean) => (name: string) => [name, { required, schema: { type: 'string' } }];
  const ofNames = known.flatMap(({ name }) => HEADERS_OF_NAMES[name as ApiErrorName] ?? []);
  const headers = [...(HEADERS_OF_ERRORS[status] ?? []).map(header(true)), ...ofNames.map(header(false))];
  return json(description, shape, Object.fromEntries(headers));
}

/** Refusals of every operation, and common ones. */
export const components = {
  schemas: {
    Timestamp: {
      type: 'string',
      pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6}\\+00$',
      description: 'UTC, in microseconds.',
      examples: ['2026-11-21 05:26:01.123456+00'],
    },
    Mailbox: {
      type: 'string',
      description: 'One mailbox: `a@b.c`, `Name <a@b.c>` or `"Name, Inc." <a@b.c>` (RFC 5321).',
      examples: ['Ann <ann@example.com>'],
    },
    Mailboxes: {
      description: `One mailbox, or up to ${LIMITS.mailboxes.max}.`,
      oneOf: [schema('Mailbox'), { type: 'array', items: schema('Mailbox'), maxItems: LIMITS.mailboxes.max }],
    },
    Subscription: { enum: ['opt_in', 'opt_out'] },
  },
  responses: {
    Malformed: refusal(400, 'validation_error'),
    Unauthorized: refusal(401, 'missing_api_key', 'invalid_api_key', 'restricted_api_key'),
    Forbidden: refusal(403),
    NotFound: refusal(404),
    MethodNotAllowed: refusal(405),
    TooLarge: refusal(413),
    NotJson: refusal(415),
    Invalid: refusal(422, 'missing_required_field', 'validation_error', 'invalid_parameter'),
    /** For `POST /domains` alone. */
    InvalidDomain: refusal(422, 'missing_required_field', 'validation_error', 'invalid_region'),
    RateLimited: refusal(429),
    Bug: refusal(500),
    Unavailable: refusal(503),
    /** For `POST /emails` alone. */
    MalformedEmail: refusal(400, 'validation_error', 'invalid_idempotency_key'),
    IdempotencyConflict: refusal(409),
    InvalidEmail: refusal(422, 'missing_required_field', 'validation_error', 'invalid_attachment'),
  },
  securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
} as const satisfies OpenApiPart;

/** For every operation that needs a key. */
export const callerRefusals: OpenApiPart = {
  401: response('Unauthorized'),
  403: response('Forbidden'),
  429: response('RateLimited'),
  500: response('Bug'),
  503: response('Unavailable'),
};

/** For every operation that reads a body. */
export const bodyRefusals: OpenApiPart = {
  400: response('Malformed'),
  413: response('TooLarge'),
  415: response('NotJson'),
  422: response('Invalid'),
};
