import type { OpenApiPart } from '../openapi/components.js';
import { type Dto, type DtoField, fieldsOf } from './dto-fields.js';

/** Schemas of class-validator's stock decorators, by their names. */
const STOCK: Readonly<Record<string, (constraint: unknown) => OpenApiPart>> = {
  arrayMaxSize: (maxItems) => ({ maxItems }),
  isBoolean: () => ({ type: 'boolean' }),
  isIn: (values) => ({ enum: values }),
  isString: () => ({ type: 'string' }),
  matches: (pattern) => ({ type: 'string', pattern: (pattern as RegExp).source }),
};

/** The schema of a body, from the class by which it is read. */
export function requestSchema(dto: Dto, about: OpenApiPart = {}): OpenApiPart {
  const fields = fieldsOf(dto);
  return {
    type: 'object',
    ...about,
    properties: Object.fromEntries(fields.flatMap((field) => [[field.name, schemaOf(field)], ...spellingsOf(field)])),
    ...requiredOf(fields),
    additionalProperties: false,
  };
}

/** The schema of an object in an answer, from its class: all fields that are not optional are always present. */
export function answerSchema(dto: Dto, about: OpenApiPart = {}): OpenApiPart {
  const fields = fieldsOf(dto);
  return {
    type: 'object',
    ...about,
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field, answerSchema)])),
    ...requiredOf(fields),
    additionalProperties: false,
  };
}

/** The names of the required fields. OpenAPI 3.0 allows no empty list. */
function requiredOf(fields: readonly DtoField[]): { required?: string[] } {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return required.length > 0 ? { required } : {};
}

/** The parameters of a URL, from the class by which they are read; a list is repeated. */
export function queryParameters(dto: Dto): OpenApiPart[] {
  return fieldsOf(dto).map((field) => {
    const { description, ...schema } = schemaOf({ ...field, facts: { ...field.facts, listsOne: false } });
    return { name: field.name, in: 'query', ...(description !== undefined && { description }), schema };
  });
}

interface Shape {
  type?: unknown;
  items?: unknown;
  minLength?: unknown;
}

/** The schema of one field. @param inner returns that of an object in it */
export function schemaOf(field: DtoField, inner: (dto: Dto) => OpenApiPart = requestSchema): OpenApiPart {
  const { description, examples, nullable } = field.facts;
  const forms = formsOf(field, inner);
  if (nullable) addNull(forms);
  return {
    ...(forms.length === 1 ? forms[0] : { oneOf: forms }),
    ...(description !== undefined && { description }),
    ...(examples && { examples }),
  };
}

/** A field may have several forms, of which one is checked and stored. */
function formsOf({ facts, isRequired, metadata }: DtoField, inner: typeof requestSchema): Shape[] {
  const { type, each, max, schema = {}, listsOne, forms = [] } = facts;
  // A reference to another schema stands alone.
  if ('$ref' in schema || 'oneOf' in schema) return [schema];
  const parts: OpenApiPart[] = metadata.map(({ name = '', constraints }) =>
    typeof constraints?.[0] === 'function' ? constraints[1] : (STOCK[name]?.(constraints?.[0]) ?? {}),
  );
  const object = type ? [inner(type)] : [];
  const list = each ? [{ type: 'array', items: inner(each), ...(max !== undefined && { maxItems: max }) }] : [];
  const whole: Shape = Object.assign({}, ...object, ...list, ...parts.reverse(), schema);
  // An empty value counts as absent.
  if (!isRequired) delete whole.minLength;
  return [...(listsOne ? [whole.items as Shape] : []), whole, ...forms];
}

function addNull(forms: Shape[]): void {
  const [only] = forms;
  if (forms.length === 1 && only && typeof only.type === 'string' && only.type !== 'object') {
    only.type = [only.type, 'null'];
  } else {
    forms.push({ type: 'null' });
  }
}

function spellingsOf({ name, facts: { spellings = [] } }: DtoField): [string, OpenApiPart][] {
  return spellings.map((other) => [
    other,
    { type: 'string', deprecated: true, description: `The same as \`${name}\`.` },
  ]);
}
