import { getMetadataStorage } from 'class-validator';
import type { OpenApiPart } from '../openapi/components.js';

/** A class whose properties carry the rules of a body, or of an object in one. */
export type Dto<T extends object = object> = new () => T;

/** Facts of a field that class-validator cannot express. */
export interface FieldFacts {
  /** An empty text is a value, instead of meaning "absent". Default: false. */
  readonly keepsEmpty?: boolean;
  /** Null is a value, which clears the field, instead of meaning "absent". Default: false. */
  readonly nullable?: boolean;
  /** A single text counts as a list. Default: false. */
  readonly listsOne?: boolean;
  /** Other names used by clients. */
  readonly spellings?: readonly string[] | undefined;
  /** Normalises another form of the value to the checked and stored one. Returns unknown values unchanged. */
  readonly reads?: (value: unknown) => unknown;
  /** Default. */
  readonly default?: () => unknown;
  /** The class of an object field. */
  readonly type?: Dto;
  /** The class of the objects in a list field. */
  readonly each?: Dto;
  /** Limit of `each`. */
  readonly max?: number;
  /** Description of the required `type` or `each`. */
  readonly expected?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** Schemas of other forms, which `reads` normalises. */
  readonly forms?: readonly OpenApiPart[];
  /** Parts of the schema that its rules do not have, or that replace them. */
  readonly schema?: OpenApiPart;
}

/** The names of the constraints that `Field` registers. */
export const FIELD = 'field';
export const SPELLING = 'spelling';

/** A decorator in class-validator's storage. */
export type RuleMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** A field of a class, with all facts of its decorators. */
export interface DtoField {
  readonly name: string;
  readonly facts: FieldFacts;
  readonly isRequired: boolean;
  readonly metadata: readonly RuleMetadata[];
}

/** The fields of a class, in the order in which it declares them, inherited ones last. */
export function fieldsOf(dto: Dto): DtoField[] {
  const named = new Map<string, RuleMetadata[]>();
  for (const one of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    const metadata = named.get(one.propertyName);
    if (metadata) metadata.push(one);
    else named.set(one.propertyName, [one]);
  }
  return [...named].flatMap(([name, metadata]) => {
    const facts = metadata.find((one) => one.name === FIELD)?.constraints[0] as FieldFacts | undefined;
    if (!facts) return [];
    const isOptional = metadata.some(({ type }) => type === 'conditionalValidation');
    return [{ name, facts, isRequired: !isOptional && !facts.default, metadata }];
  });
}
