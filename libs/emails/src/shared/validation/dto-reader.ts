import type { ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../text/did-you-mean.js';
import {
  type Dto,
  type DtoField,
  FIELD,
  type FieldFacts,
  fieldsOf,
  type RuleMetadata,
  SPELLING,
} from './dto-fields.js';
import { contradiction, contradicts, isEmpty, normaliseField, wrongShape } from './field.js';
import type { Rule } from './rule.js';
import { sentence } from './sentence.js';

/** Names that a message may repeat. It repeats nothing else of a body, in particular no address. */
const NAME = /^[\w-]+$/;
/** Limit of such a name. Characters. */
const SHOWN = 50;

type Fields = Record<string, unknown>;

interface ReadField extends DtoField {
  readonly rules: readonly Rule[];
  /** Reader of the objects in it. */
  readonly inner: DtoReader<object> | undefined;
}

/**
 * Reads bodies by the decorators of a class, like `plainToInstance` and `validate`, but many times faster, because the
 * decorators are looked up once. A body is read in two steps: its fields are collected, then checked.
 */
export class DtoReader<T extends object> {
  /** In the order of the class. */
  readonly fields: readonly DtoField[];
  private readonly named: ReadonlyMap<string, ReadField>;
  private readonly absent: Fields;
  private readonly defaults: readonly [string, () => unknown][];
  private readonly holders: readonly ReadField[];
  /** Maps other names of fields to the field's own. */
  private readonly spellings: readonly [string, ReadField][];

  private constructor(dto: Dto<T>) {
    const fields = fieldsOf(dto).map(compile);
    this.fields = fields;
    this.named = new Map(fields.map((field) => [field.name, field]));
    this.absent = Object.fromEntries(fields.map(({ name }) => [name, undefined]));
    this.defaults = fields.flatMap(({ name, facts }) => (facts.default ? [[name, facts.default]] : []));
    this.holders = fields.filter(({ inner }) => inner);
    this.spellings = fields.flatMap((field) =>
      (field.facts.spellings ?? []).map((other): [string, ReadField] => [other, field]),
    );
  }

  private static readonly known = new WeakMap<Dto, DtoReader<object>>();

  /** The reader of a class, made once. */
  static of<T extends object>(dto: Dto<T>): DtoReader<T> {
    const reader = DtoReader.known.get(dto) ?? new DtoReader(dto);
    DtoReader.known.set(dto, reader);
    return reader as DtoReader<T>;
  }

  /** @throws ApiError for the first problem in this order: an unknown field, a missing one, an invalid one */
  read(body: object): T {
    const fields = this.collect(body, '');
    for (const { name, isRequired } of this.named.values()) {
      if (isRequired && fields[name] === undefined) throw ApiError.missingField(name);
    }
    this.check(fields, '');
    return fields as T;
  }

  /**
   * Every field of the class, in its order.
   *
   * @param path prefix of the field names in messages
   * @throws ApiError for an unknown field, one with two values, and a part that is not an object
   */
  private collect(body: object, path: string): Fields {
    const fields = { ...this.absent };
    for (const [name, whenAbsent] of this.defaults) fields[name] = whenAbsent();
    for (const [name, value] of Object.entries(this.spelledOut(body as Fields, path))) {
      const field = this.named.get(name);
      if (!field) throw this.unknownField(path, name);
      fields[name] = normaliseField(field.facts, value);
    }
    for (const { name, facts, inner } of this.holders) {
      const value = fields[name];
      if (inner && value !== undefined && value !== null) {
        fields[name] = DtoReader.collectParts(inner, facts, value, `${path}${name}`);
      }
    }
    return fields;
  }

  private static collectParts(inner: DtoReader<object>, facts: FieldFacts, value: unknown, path: string): unknown {
    const wrong = wrongShape(facts, value);
    if (wrong !== undefined) throw refusal(path, wrong);
    if (!Array.isArray(value)) return inner.collect(value as object, `${path}.`);
    return value.map((entry, at) => inner.collect(entry, `${path}[${at}].`));
  }

  /** @throws ApiError for the first missing or invalid field, in the order of the class */
  private check(fields: Fields, path: string): void {
    for (const { name, isRequired, rules, inner } of this.named.values()) {
      const value = fields[name];
      if (value === undefined || value === null) {
        if (isRequired) throw ApiError.missingField(`${path}${name}`);
        continue;
      }
      for (const rule of rules) {
        const wrong = rule(value, fields);
        if (wrong !== undefined) throw refusal(`${path}${name}`, wrong);
      }
      inner?.checkParts(value, `${path}${name}`);
    }
  }

  private checkParts(value: unknown, path: string): void {
    if (Array.isArray(value)) for (const [at, entry] of value.entries()) this.check(entry, `${path}[${at}].`);
    else this.check(value as Fields, `${path}.`);
  }

  /** The body with each field under its own name. */
  private spelledOut(body: Fields, path: string): Fields {
    if (!this.spellings.some(([other]) => Object.hasOwn(body, other))) return body;
    const spelled: Fields = { ...body };
    for (const [other, { name, facts }] of this.spellings) {
      if (contradicts(facts, body, name, other)) throw refusal(`${path}${other}`, contradiction(`${path}${name}`));
      const value = spelled[other];
      delete spelled[other];
      if (!isEmpty(value)) spelled[name] = value;
    }
    return spelled;
  }

  private unknownField(path: string, name: string): ApiError {
    const meant = didYouMean(name, [...this.named.keys()]);
    const hint = meant === undefined ? 'Leave it out.' : `Did you mean \`${path}${meant}\`?`;
    const shown = NAME.test(name) ? name.slice(0, SHOWN) : '…';
    return ApiError.invalid(`\`${path}${shown}\` is not a field. ${hint}`);
  }
}

function compile(field: DtoField): ReadField {
  const { facts, metadata } = field;
  const dto = facts.type ?? facts.each;
  // Decorators apply from the last to the first.
  const rules = metadata.flatMap(ruleOf).reverse();
  return { ...field, rules, inner: dto && DtoReader.of(dto) };
}

/**
 * Checks a value with a decorator. Ours have their rule in the constraints; others are called like in class-validator.
 */
function ruleOf({ name, type, constraints, constraintCls, message, propertyName, target }: RuleMetadata): Rule[] {
  if (type !== 'customValidation' || name === FIELD || name === SPELLING) return [];
  if (typeof constraints?.[0] === 'function') return [constraints[0] as Rule];
  const validator = new (constraintCls as new () => ValidatorConstraintInterface)();
  return [
    (value, among) => {
      const args: ValidationArguments = {
        value,
        constraints,
        targetName: typeof target === 'string' ? target : target.name,
        object: among,
        property: propertyName,
      };
      if (validator.validate(value, args)) return undefined;
      const text = typeof message === 'function' ? message(args) : (message ?? validator.defaultMessage?.(args) ?? '');
      return text.replace('`$property` ', '').replaceAll('$property', propertyName);
    },
  ];
}

/** @param wrong the message of a rule */
function refusal(path: string, wrong: string): ApiError {
  return ApiError.invalid(sentence(path, wrong));
}
