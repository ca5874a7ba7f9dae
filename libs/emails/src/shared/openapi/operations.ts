import {
  body,
  bodyRefusals,
  callerRefusals,
  json,
  listOf,
  type OpenApiPart as Part,
  pageQuery,
  pageQueryOfAll,
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
    schema: name === 'id' ? uuid : { type: 'string' },
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
      ...('id' in path && { 422: response('Invalid') }),
      ...refusals,
    },
  };
}

interface Listing extends Pick<Operation, 'id' | 'summary' | 'tag' | 'path'> {
  /** Gives everything when no limit is named. Default: false. */
  all?: boolean;
}

/** A list of objects. */
export function listing({ all = false, ...of }: Listing, item: Part): Part {
  return operation({
    ...of,
    query: all ? pageQueryOfAll : pageQuery,
    success: { 200: listOf(item, all ? 1_000 : 100) },
    refusals: { 422: response('Invalid') },
  });
}

/** What a deletion answers. */
export const deleted = (object: string, more: Part = {}): Part =>
  record({ object: { const: object }, id: uuid, ...more, deleted: { const: true } });

/** A field of a change that says what the path says. */
export const repeated: Part = { type: ['string', 'null'], description: 'What the path says, if at all.' };

export const timestampOrNull: Part = { oneOf: [schema('Timestamp'), { type: 'null' }] };
