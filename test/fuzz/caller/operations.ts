import { readFileSync } from 'node:fs';
import { fromTestRun } from '../../support/jest/test-environment.js';

interface Parameter {
  $ref?: string;
  in?: string;
  name?: string;
}

/** One route of the API document. */
export interface Operation {
  method: string;
  /** `/emails/{id}`. */
  path: string;
  query: readonly string[];
  takesBody: boolean;
}

interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[]; requestBody?: object }>>;
  components: { parameters: Record<string, Parameter> };
}

/** Every route of the API document of the built host. */
export function operations(): Operation[] {
  const { paths, components } = JSON.parse(readFileSync(fromTestRun('TEST_OPENAPI_FILE'), 'utf8')) as Document;
  const named = ({ $ref, ...own }: Parameter) =>
    $ref ? (components.parameters[$ref.split('/').at(-1) ?? ''] ?? own) : own;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'post', 'patch', 'delete'].includes(method))
      .map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        query: parameters.map(named).flatMap(({ in: place, name }) => (place === 'query' && name ? [name] : [])),
        takesBody: requestBody !== undefined,
      })),
  );
}
