import type { Feature } from '../../shared/features/feature.js';
import type { OpenApiPart } from '../../shared/openapi/components.js';
import { partInOpenApi30, toOpenApi30 } from '../../shared/openapi/openapi-3.0.js';
import { emailsOpenApi } from './openapi.js';

/** An OpenAPI document, such as `SwaggerModule.createDocument` makes. */
export interface OpenApiDocument {
  openapi?: string;
  paths: object;
  components?: { schemas?: object; responses?: object; securitySchemes?: object } & object;
}

/** Parts of the document next to those of the core. */
export interface WithEmailsOptions {
  /** The features that the application has, such as `audience()`. Default: none. */
  features?: readonly Feature[];
  /** Prefix of the package's routes, such as `/api/v1`: your global prefix and version. Default: none. */
  prefix?: string;
}

/**
 * A document with the exact routes of this package in place of their discovered description, in its version of OpenAPI,
 * 3.0 or 3.1.
 *
 * @example
 * ```ts
 * const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
 * SwaggerModule.setup('docs', app, withEmails(document, { prefix: '/api', features: [audience()] }));
 * ```
 * @throws Error when the document has another schema, response or security scheme of the same name as one of these
 */
export function withEmails<Document extends OpenApiDocument>(
  document: Document,
  { features = [], prefix = '' }: WithEmailsOptions = {},
): Document {
  const { openapi = '3.1.0' } = document;
  const adapt = openapi.startsWith('3.0') ? IN_3_0 : IN_3_1;
  const parts = features.flatMap((feature) => feature.openApi ?? []);
  const paths = Object.entries(Object.assign({}, emailsOpenApi.paths, ...parts.map((part) => part.paths)));
  const before = `/${prefix}/`.replace(/\/+/g, '/').slice(0, -1);
  const ours = new Map(paths.map(([path, operations]) => [`${before}${path}`, adapt.part(secured(operations))]));
  const known = new Set([...ours.keys()].map(withoutNames));
  const others = Object.entries(document.paths).filter(([path]) => !known.has(withoutNames(path)));
  const { schemas, responses, securitySchemes } = emailsOpenApi.components;
  const all: Record<string, OpenApiPart> = Object.assign({}, schemas, ...parts.map((part) => part.schemas));
  const adapted = Object.fromEntries(Object.entries(all).map(([name, one]) => [name, adapt.schema(one)]));
  const components: OpenApiPart = { ...document.components };
  return {
    ...document,
    openapi,
    paths: Object.fromEntries([...others, ...ours]),
    components: {
      ...components,
      schemas: joined('schema', components.schemas, adapted),
      responses: joined('response', components.responses, adapt.part(responses)),
      securitySchemes: joined('security scheme', components.securitySchemes, securitySchemes),
    },
  };
}

const IN_3_0 = { part: partInOpenApi30, schema: toOpenApi30 };
const IN_3_1 = { part: <Part>(part: Part) => part, schema: (one: OpenApiPart) => one };

/** Marks operations as needing a key, unless they state their own security. */
function secured(operations: unknown): object {
  const entries = Object.entries(operations as Record<string, object>);
  return Object.fromEntries(
    entries.map(([method, operation]) => [method, { security: [{ apiKey: [] }], ...operation }]),
  );
}

/** A path without the names of its parameters. */
function withoutNames(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

function joined(kind: string, theirs: unknown, ours: unknown): object {
  const whole: Record<string, unknown> = { ...(ours as object) };
  for (const [name, other] of Object.entries(theirs ?? {})) {
    if (name in whole && JSON.stringify(whole[name]) !== JSON.stringify(other)) {
      throw new Error(`withEmails: the document has a ${kind} \`${name}\` of its own. Give it another name.`);
    }
    whole[name] = other;
  }
  return whole;
}
