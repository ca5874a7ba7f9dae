import { PageQueryDto } from '../http/page-query.dto.js';
import type { Dto } from '../validation/dto-fields.js';
import { queryParameters } from '../validation/dto-schema.js';
import {
  body,
  bodyRefusals,
  callerRefusals,
  json,
  listOf,
  type OpenApiPart as Part,
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
  /** The name and description of the parameter in the path. */
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
  /** The class of its query. Default: `PageQueryDto`. */
  query?: Dto;
  /** Limit of objects in an answer. Default: 100. */
  max?: number;
}

/** A list of objects. */
export function listing({ query = PageQueryDto, max = 100, ...of }: Listing, item: Part): Part {
  return operation({
    ...of,
    query: queryParameters(query),
    success: { 200: listOf(item, max) },
    refusals: { 422: response('Invalid') },
  });
}

/** Answer of a deletion. */
export const deleted = (object: string, more: Part = {}): Part =>
  record({ object: { const: object }, id: uuid, ...more, deleted: { const: true } });

/** A field of a change that repeats the path. */
export const repeated: Part = { type: ['string', 'null'], description: 'Absent, or equal to the value in the path.' };

export const timestampOrNull: Part = { oneOf: [schema('Timestamp'), { type: 'null' }] };
