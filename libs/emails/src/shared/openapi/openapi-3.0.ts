import { components, type OpenApiPart } from './components.js';

const SCHEMAS: Readonly<Record<string, OpenApiPart>> = components.schemas;
const REFERENCE = /^#\/components\/schemas\/(.+)$/;

/**
 * Converts a schema of OpenAPI 3.1 to 3.0, which has no type `null`, no list of types, no constants and one example.
 * Shared schemas replace their references.
 */
export function toOpenApi30(schema: OpenApiPart): OpenApiPart {
  const { $ref, type, const: constant, examples, contentEncoding, propertyNames, oneOf, ...others } = schema;
  const [, name = ''] = REFERENCE.exec(String($ref)) ?? [];
  const shared = SCHEMAS[name];
  return {
    ...(shared ? toOpenApi30(shared) : $ref !== undefined && { $ref }),
    ...Object.fromEntries(Object.entries(others).map(([key, value]) => [key, inner(key, value)])),
    ...(constant !== undefined && { enum: [constant] }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    ...(contentEncoding === 'base64' && { format: 'byte' }),
    ...typed([type].flat().filter((one) => one !== undefined)),
    ...(Array.isArray(oneOf) && eitherOf(oneOf)),
  };
}

/** The same for each schema in paths or components. */
export function partInOpenApi30<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(partInOpenApi30) as Part;
  if (!isSchema(part)) return part;
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    key === 'schema' ? toOpenApi30(value as OpenApiPart) : partInOpenApi30(value),
  ]);
  return Object.fromEntries(entries);
}

function inner(key: string, value: unknown): unknown {
  if (key === 'items' || key === 'additionalProperties') return isSchema(value) ? toOpenApi30(value) : value;
  if (key !== 'properties') return value;
  return Object.fromEntries(Object.entries(value as object).map(([name, schema]) => [name, toOpenApi30(schema)]));
}

function typed(types: readonly unknown[]): OpenApiPart {
  const shown = types.filter((type) => type !== 'null');
  return {
    ...(shown.length === 1 && { type: shown[0] }),
    ...(shown.length > 1 && { oneOf: shown.map((type) => ({ type, ...(type === 'array' && { items: {} }) })) }),
    ...(shown.length < types.length && { nullable: true }),
  };
}

function eitherOf(schemas: readonly OpenApiPart[]): OpenApiPart {
  const shown = schemas.filter(({ type }) => type !== 'null').map(toOpenApi30);
  const nullable = shown.length < schemas.length && { nullable: true };
  return shown.length === 1 ? { ...shown[0], ...nullable } : { oneOf: shown, ...nullable };
}

function isSchema(value: unknown): value is OpenApiPart {
  return typeof value === 'object' && value !== null;
}
