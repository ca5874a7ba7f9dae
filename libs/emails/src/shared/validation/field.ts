import { Expose, plainToInstance, Transform } from 'class-transformer';
import { ValidateBy, ValidateNested } from 'class-validator';
import { type Dto, FIELD, type FieldFacts, SPELLING } from './dto-fields.js';
import { missing, sentence } from './sentence.js';
import { describeForSwagger } from './swagger.js';

/**
 * A field of a body. Its facts are the constraint of an ordinary rule of class-validator, so that mapped types copy
 * them. A field is optional if it is also `@IsOptional()` or has a default.
 *
 * @example
 * ```ts
 * export class LetterDto {
 *   @Field({ description: 'Shown in the letter.' })
 *   @IsOptional()
 *   @IsString()
 *   salutation?: string;
 * }
 * ```
 */
export function Field(facts: FieldFacts = {}): PropertyDecorator {
  return (target, key) => {
    const name = String(key);
    describeForSwagger(target.constructor as Dto);
    // The transform below must also run for another spelling or an absent field.
    Expose({ toClassOnly: true })(target, name);
    Transform(({ obj }) => asInstances(facts, normaliseField(facts, givenValue(facts, name, obj))), {
      toClassOnly: true,
    })(target, name);
    ValidateBy({
      name: FIELD,
      constraints: [facts],
      validator: {
        // Without a transform an absent field has no default, even with class-transformer's `exposeDefaultValues`.
        validate: (value) =>
          isGiven(value) ? wrongShape(facts, value) === undefined : value === undefined && facts.default !== undefined,
        defaultMessage: (args) =>
          isGiven(args?.value) ? sentence(name, wrongShape(facts, args?.value) ?? 'is refused') : missing(name),
      },
    })(target, name);
    if (facts.type ?? facts.each) ValidateNested()(target, name);
    for (const other of facts.spellings ?? []) spell(facts, name, other, target);
  };
}

/** A field of an answer: documented like one of a body, but neither read nor checked. */
export function AnswerField(facts: FieldFacts = {}): PropertyDecorator {
  return (target, key) => {
    const name = String(key);
    describeForSwagger(target.constructor as Dto);
    Expose()(target, name);
    ValidateBy({ name: FIELD, constraints: [facts], validator: { validate: () => true } })(target, name);
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Other spellings are fields too. They are removed unless they contradict. */
function spell(facts: FieldFacts, name: string, other: string, target: object): void {
  Transform(({ obj }) => (contradicts(facts, obj, name, other) ? obj[other] : undefined), { toClassOnly: true })(
    target,
    other,
  );
  ValidateBy({
    name: SPELLING,
    constraints: [name],
    validator: {
      validate: (value) => value === undefined,
      defaultMessage: () => sentence(other, contradiction(name)),
    },
  })(target, other);
}

/** The normalised value of a field; its parts are not normalised yet. */
export function normaliseField(facts: FieldFacts, value: unknown): unknown {
  if (value === null && facts.nullable) return null;
  if (isEmpty(value) && !(facts.keepsEmpty && value === '')) return facts.default?.();
  const read = facts.reads ? facts.reads(value) : value;
  return facts.listsOne && typeof read === 'string' ? [read] : read;
}

/** Problem of the shape of a field that holds objects. */
export function wrongShape({ type, each, max = Number.POSITIVE_INFINITY, expected }: FieldFacts, value: unknown) {
  if (type) return isObject(value) ? undefined : `must be ${expected}`;
  if (!each) return undefined;
  if (!Array.isArray(value) || value.length > max) return `must be ${expected}`;
  const at = value.findIndex((entry) => !isObject(entry));
  return at < 0 ? undefined : `[${at}] must be an object`;
}

/** True if two spellings of a field have two values. */
export function contradicts(
  facts: FieldFacts,
  body: Readonly<Record<string, unknown>>,
  name: string,
  other: string,
): boolean {
  const read = (value: unknown) => (facts.reads ? facts.reads(value) : value);
  const given = givenValue({ spellings: facts.spellings?.slice(0, facts.spellings.indexOf(other)) }, name, body);
  return !isEmpty(body[other]) && !isEmpty(given) && read(given) !== read(body[other]);
}

export function contradiction(name: string): string {
  return `is another spelling of \`${name}\`: give one of them, or the same twice`;
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first spelling with a value; else the value under the field's own name. */
function givenValue(
  { spellings = [] }: Pick<FieldFacts, 'spellings'>,
  name: string,
  body: Readonly<Record<string, unknown>>,
): unknown {
  const used = [name, ...spellings].find((spelling) => Object.hasOwn(body, spelling) && !isEmpty(body[spelling]));
  return body[used ?? name];
}

function asInstances({ type, each, max }: FieldFacts, value: unknown): unknown {
  if (type && isObject(value)) return plainToInstance(type, value);
  if (each && Array.isArray(value)) {
    // One above the limit suffices for a refusal, so no more are made.
    const looked = max === undefined ? value : value.slice(0, max + 1);
    return looked.map((entry) => (isObject(entry) ? plainToInstance(each, entry) : entry));
  }
  return value;
}
