import type { ApiErrorName } from '../errors/api-error.js';

/** A part of an OpenAPI 3.1 document: plain JSON. */
export type OpenApiPart = Readonly<Record<string, unknown>>;

/** What a module adds to a document: operations, and schemas for its components. */
export interface OpenApiFeature {
  paths: Readonly<Record<string, OpenApiPart>>;
  schemas: Readonly<Record<string, OpenApiPart>>;
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** A reference to one of the schemas below. */
export const schema = (name: string): OpenApiPart => ref('schemas', name);
/** A reference to one of the responses below. */
export const response = (name: string): OpenApiPart => ref('responses', name);

/** `null` is written out: no field of an answer is ever left out. */
export const nullable = (type: string): OpenApiPart => ({ type: [type, 'null'] });

/** An object with exactly these fields, all of them always present. */
export function record(properties: OpenApiPart): OpenApiPart {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** A page of such objects. */
export function listOf(item: OpenApiPart, maxItems = 100): OpenApiPart {
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

/** A required body. */
export const body = (content: OpenApiPart): OpenApiPart => ({
  required: true,
  content: { 'application/json': { schema: content } },
});

function refusal(
  status: number,
  names: readonly ApiErrorName[],
  description: string,
  headers: readonly string[] = [],
): OpenApiPart {
  const shape = record({ statusCode: { const: status }, name: { enum: names }, message: { type: 'string' } });
  const required = headers.map((name) => [name, { required: true, schema: { type: 'string' } }]);
  return json(description, shape, Object.fromEntries(required));
}

const RATE_LIMIT_HEADERS = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/** What every operation can be refused with, and what several have in common. */
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
      description: 'One mailbox, or up to 50.',
      oneOf: [schema('Mailbox'), { type: 'array', items: schema('Mailbox'), maxItems: 50 }],
    },
    Subscription: { enum: ['opt_in', 'opt_out'] },
  },
  parameters: {
    Limit: {
      name: 'limit',
      in: 'query',
      description: 'How many.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
    LimitOfAll: {
      name: 'limit',
      in: 'query',
      description: 'How many. Default: all, up to 1,000.',
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    },
    After: {
      name: 'after',
      in: 'query',
      description: 'An id in the list: what follows it, that is older. Not together with `before`.',
      schema: { type: 'string', format: 'uuid' },
    },
    Before: {
      name: 'before',
      in: 'query',
      description: 'An id in the list: what precedes it, that is newer. Not together with `after`.',
      schema: { type: 'string', format: 'uuid' },
    },
  },
  responses: {
    Malformed: refusal(
      400,
      ['validation_error'],
      'The body is not JSON, not an object, not UTF-8 or nested too deeply, or the path is no percent-encoded UTF-8.',
    ),
    Unauthorized: refusal(
      401,
      ['missing_api_key', 'invalid_api_key', 'restricted_api_key'],
      'There is no bearer token, it is not valid, or it may only send.',
      ['www-authenticate'],
    ),
    Forbidden: refusal(403, ['invalid_access'], 'A guard of the server refused.'),
    NotFound: refusal(404, ['not_found'], 'This account has no such object.'),
    MethodNotAllowed: refusal(405, ['method_not_allowed'], 'The path has other methods.', ['allow']),
    TooLarge: refusal(413, ['validation_error'], 'The body is over the limit.'),
    NotJson: refusal(415, ['validation_error'], 'The body is not `application/json`.'),
    Invalid: refusal(
      422,
      ['missing_required_field', 'validation_error', 'invalid_parameter'],
      'A field is missing or breaks a rule, or the `id` in the path is no UUID. The message names it and says what would be right.',
    ),
    RateLimited: refusal(429, ['rate_limit_exceeded'], 'Too many requests.', RATE_LIMIT_HEADERS),
    Bug: refusal(500, ['application_error'], 'A bug: nothing that is sent should cause it.'),
    Unavailable: refusal(
      503,
      ['application_error'],
      'Not now. The message says whether nothing was accepted, or whether that is not known; asking again with the same ' +
        'idempotency key is safe.',
      ['retry-after'],
    ),
    /** Of `POST /emails` alone. */
    MalformedEmail: refusal(
      400,
      ['validation_error', 'invalid_idempotency_key'],
      'The body is not JSON, not an object, not UTF-8 or nested too deeply; or the idempotency key is too long or empty.',
    ),
    IdempotencyConflict: refusal(
      409,
      ['invalid_idempotent_request'],
      'The idempotency key was used with another request.',
    ),
    InvalidEmail: refusal(
      422,
      ['missing_required_field', 'validation_error', 'invalid_attachment'],
      'A field is missing or breaks a rule, or an attachment cannot be had. The message says what would be right.',
    ),
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

/** The query of a list. */
export const pageQuery: readonly OpenApiPart[] = ['Limit', 'After', 'Before'].map((name) => ref('parameters', name));

/** The query of a log, which is read from the newest on and whose cursors are of its own kind. @param cursor what they are */
export const logQuery = (cursor: string): readonly OpenApiPart[] => [
  ref('parameters', 'Limit'),
  { name: 'after', in: 'query', description: 'The page after this one.', schema: { type: 'string', pattern: cursor } },
];

/** The query of a list that gives everything when no limit is named. */
export const pageQueryOfAll: readonly OpenApiPart[] = ['LimitOfAll', 'After', 'Before'].map((name) =>
  ref('parameters', name),
);
