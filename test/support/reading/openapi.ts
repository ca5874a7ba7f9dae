import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fromTestRun } from '../jest/test-environment.js';

interface Response {
  headers?: Record<string, { required?: boolean; schema: object }>;
  content?: { 'application/json'?: { schema: object } };
}
interface Operation {
  responses: Record<string, Response | { $ref: string }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
}

/** The checked parts of an answer. */
interface Answered {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** For the answer of a route that does not exist, or not in this role. */
const NOTHING_HERE = /^(There is nothing at this path|This server has no .+)\.$/;
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];

let loaded: { document: Document; ajv: Ajv2020 } | undefined;
const validators = new Map<object, ValidateFunction>();

/** The document of the built host, read once per test file. */
function load() {
  if (loaded) return loaded;
  const document = JSON.parse(readFileSync(fromTestRun('TEST_OPENAPI_FILE'), 'utf8')) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'document');
  loaded = { document, ajv };
  return loaded;
}

/** The path of the document that a request's path is an instance of; undefined when there is none. */
export function documentedPath(path: string): string | undefined {
  // Parsed like Express, without a fragment; not through `URL`, which would resolve `%2e%2e`.
  const [pathname = ''] = path
    .trim()
    .replaceAll(/\/{2,}/g, '/')
    .split(/[?#]/);
  const templates = Object.keys(load().document.paths);
  // Fixed paths before paths with a parameter that would match.
  const bySpeciality = templates.sort((a, b) => a.split('{').length - b.split('{').length);
  return bySpeciality.find((template) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(pathname));
}

/**
 * Deviations of an answer of the host from its OpenAPI document: a status, a header or a body that the document does not
 * have. Empty without one, or when the document does not have this path.
 */
export function deviations(method: string, path: string, { status, headers, body }: Answered): string[] {
  // Callers outside Jest have no document.
  if (!process.env.TEST_OPENAPI_FILE) return [];
  const { document } = load();
  const template = documentedPath(path);
  if (template === undefined || method === 'HEAD') return [];
  const nothingHere = status === 404 && NOTHING_HERE.test(String((body as { message?: unknown }).message));
  const operation = METHODS.includes(method) ? document.paths[template]?.[method.toLowerCase()] : undefined;
  const response = nothingHere ? resolve('NotFound') : find(operation, status);
  const subject = `${method} ${template} → ${status}`;
  if (!response) return [`${subject} is not in the document.`];

  const problems = Object.entries(response.headers ?? {})
    .filter(([name, { required }]) => required && headers[name] === undefined)
    .map(([name]) => `${subject} lacks the header ${name}.`);
  const schema = response.content?.['application/json']?.schema;
  if (schema && !validatorOf(schema)(body)) {
    const errors = validators.get(schema)?.errors ?? [];
    problems.push(...errors.map(({ instancePath, message }) => `${subject}: body${instancePath} ${message}`));
  }
  return problems;
}

/** The common answers of every path to an unknown method, and to an undecodable path. */
const OF_ANY_METHOD: Readonly<Record<number, string>> = {
  400: 'Malformed',
  401: 'Unauthorized',
  405: 'MethodNotAllowed',
};

function find(operation: Operation | undefined, status: number): Response | undefined {
  if (!operation) return resolve(OF_ANY_METHOD[status] ?? '');
  const response = operation.responses[status];
  if (!response) return undefined;
  return '$ref' in response ? resolve(response.$ref.slice(response.$ref.lastIndexOf('/') + 1)) : response;
}

function resolve(name: string): Response | undefined {
  return load().document.components.responses[name];
}

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  // References of the document are relative to it.
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
  const compiled = load().ajv.compile(absolute);
  validators.set(schema, compiled);
  return compiled;
}
