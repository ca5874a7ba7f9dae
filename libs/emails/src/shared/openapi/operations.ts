import {
  body,
  bodyRefusals,
  callerRefusals,
  json,
  listOf,
  type OpenApiPart as Part,
  pageQuery,
  record,
  response,
  schema,
} from './components.js';

export const uuid: Part = { type: 'string', format: 'uuid' };

interface Operation {
  /** `operationId`, unique. */
  id: string;
  summary: string;
  tag: string;
  /** The name of the parameter in the path, and what it takes. */
  path?: Readonly<Record<string, string>>;
  query?: readonly Part[];
  requestBody?: Part;
  /** Status and body of success. */
  success: Readonly<Record<number, Part>>;
  /** Further refusals, or other ones. */
  refusals?: Part;
}

/** An operation of a caller with full access. */
export function operation({
  id,
  summary,
  tag,
  path = {},
  query = [],
  requestBody,
  success,
  refusals = {},
}: Operation): Part {
  const inPath = Object.entries(path).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  return {
    operationId: id,
    summary,
    tags: [tag],
    parameters: [...inPath, ...query],
    ...(requestBody && { requestBody: body(requestBody) }),
    responses: {
      ...Object.fromEntries(Object.entries(success).map(([status, shape]) => [status, json('Done.', shape)])),
      ...callerRefusals,
      ...(requestBody && bodyRefusals),
      ...(inPath.length > 0 && { 400: response('Malformed'), 404: response('NotFound') }),
      ...refusals,
    },
  };
}

/** A list of objects. */
export function listing(of: Pick<Operation, 'id' | 'summary' | 'tag' | 'path'>, item: Part): Part {
  return operation({
    ...of,
    query: pageQuery,
    success: { 200: listOf(item) },
    refusals: { 422: response('Invalid') },
  });
}

/** What a deletion answers. */
export const deleted = (object: string): Part =>
  record({ object: { const: object }, id: uuid, deleted: { const: true } });

export const timestampOrNull: Part = { oneOf: [schema('Timestamp'), { type: 'null' }] };
