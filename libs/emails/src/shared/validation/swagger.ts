import type { OpenApiPart } from '../openapi/components.js';
import { toOpenApi30 } from '../openapi/openapi-3.0.js';
import { type Dto, type DtoField, fieldsOf } from './dto-fields.js';
import { schemaOf } from './dto-schema.js';

/** The name under which `@nestjs/swagger` looks for the metadata of its compiler plugin. */
const FACTORY = '_OPENAPI_METADATA_FACTORY';

/** Makes `@nestjs/swagger`, if a host uses it, describe a class by its fields. */
export function describeForSwagger(dto: Dto): void {
  if (Object.hasOwn(dto, FACTORY)) return;
  Object.defineProperty(dto, FACTORY, { value: () => propertiesOf(dto), enumerable: false });
}

function propertiesOf(dto: Dto): OpenApiPart {
  return Object.fromEntries(fieldsOf(dto).map((field) => [field.name, propertyOf(field)]));
}

/** Documents of `@nestjs/swagger` are of OpenAPI 3.0. */
function propertyOf(field: DtoField): OpenApiPart {
  const { facts, isRequired: required } = field;
  const inner = facts.type ?? facts.each;
  if (!inner) return { required, ...withType(toOpenApi30(schemaOf(field))) };
  const { description, nullable } = facts;
  return {
    required,
    type: () => inner,
    isArray: facts.each !== undefined,
    ...(description !== undefined && { description }),
    ...(nullable && { nullable }),
  };
}

/** Swagger refuses a property without a type. For several forms it omits the type of a list. */
function withType(schema: OpenApiPart): OpenApiPart {
  return { type: 'oneOf' in schema ? Array : 'string', ...schema };
}
