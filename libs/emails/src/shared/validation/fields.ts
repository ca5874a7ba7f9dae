import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../text/did-you-mean.js';
import { defaulting, type Field, type FieldOptions, type Inner, optional } from './field.js';
import { anything, type Rule } from './rule.js';

/** A table with a line for each field of a `T`; the compiler misses one as it does one too many. */
export type Table<T> = { readonly [Name in keyof T]-?: Field<T[Name]> };

/** Of names that a message repeats: nothing else of a body is repeated, an address least. */
const NAME = /^[\w-]+$/;
/** Characters of such a name. */
const SHOWN = 50;

type Taken = Record<string, unknown>;

/** What holds for the fields of an object in a body. Reading has two steps: what is there is taken, then checked. */
export class Fields<T extends object> {
  private readonly fields: ReadonlyMap<string, Field<unknown>>;
  private readonly absent: Taken;
  private readonly defaults: readonly [string, () => unknown][];
  private readonly inners: readonly [string, Inner][];
  /** Other names of fields, with the field's own. */
  private readonly spellings: readonly [string, string][];

  constructor(table: Table<T>) {
    const lines = Object.entries<Field<unknown>>(table);
    this.fields = new Map(lines);
    this.absent = Object.fromEntries(lines.map(([name]) => [name, undefined]));
    this.defaults = lines.flatMap(([name, { whenAbsent }]) => (whenAbsent ? [[name, whenAbsent]] : []));
    this.inners = lines.flatMap(([name, { inner }]) => (inner ? [[name, inner]] : []));
    this.spellings = lines.flatMap(([name, { spellings }]) =>
      spellings.map((other): [string, string] => [other, name]),
    );
  }

  /**
   * Every field of the table, in its order. Empty values mean "absent" (contract, section 1), where a field does not say
   * otherwise.
   *
   * @param path what stands before the names of the fields in messages
   * @throws ApiError for a field that is unknown, one that is given two values, and a part that is no object
   */
  take(body: object, path = ''): Taken {
    const taken = { ...this.absent };
    for (const [name, whenAbsent] of this.defaults) taken[name] = whenAbsent();
    for (const [name, value] of Object.entries(this.spelledOut(body, path))) {
      const field = this.fields.get(name);
      if (!field) throw this.unknownField(path, name);
      if (isEmpty(value) && !(field.keepsEmpty && value === '')) continue;
      const read = field.reads ? field.reads(value) : value;
      taken[name] = field.listsOne && typeof read === 'string' ? [read] : read;
    }
    for (const [name, inner] of this.inners) {
      if (taken[name] !== undefined) taken[name] = inner.take(taken[name], `${path}${name}`);
    }
    return taken;
  }

  /** @throws ApiError for the first field that is missing or wrong, in the order of the table */
  check(taken: Taken, path = ''): void {
    for (const [name, { rule, isRequired, inner }] of this.fields) {
      const value = taken[name];
      if (value === undefined) {
        if (isRequired) throw ApiError.missingField(`${path}${name}`);
        continue;
      }
      const wrong = rule(value, taken);
      if (wrong !== undefined) throw refusal(`${path}${name}`, wrong);
      inner?.check(value, `${path}${name}`);
    }
  }

  /** @throws ApiError for the first of: a field that is unknown, one that is missing, one that is wrong */
  read(body: object): T {
    const taken = this.take(body);
    for (const [name, { isRequired }] of this.fields) {
      if (isRequired && taken[name] === undefined) throw ApiError.missingField(name);
    }
    this.check(taken);
    return taken as T;
  }

  /** The body with each field under its own name. */
  private spelledOut(body: object, path: string): object {
    if (!this.spellings.some(([other]) => Object.hasOwn(body, other))) return body;
    const spelled: Taken = { ...body };
    for (const [other, name] of this.spellings) {
      const value = spelled[other];
      delete spelled[other];
      if (isEmpty(value)) continue;
      const { reads = itself } = this.fields.get(name) ?? {};
      if (!isEmpty(spelled[name]) && reads(spelled[name]) !== reads(value)) {
        throw refusal(
          `${path}${other}`,
          `is another spelling of \`${path}${name}\`: give one of them, or the same twice`,
        );
      }
      spelled[name] = value;
    }
    return spelled;
  }

  private unknownField(path: string, name: string): ApiError {
    const meant = didYouMean(name, [...this.fields.keys()]);
    const hint = meant === undefined ? 'Leave it out.' : `Did you mean \`${path}${meant}\`?`;
    const shown = NAME.test(name) ? name.slice(0, SHOWN) : '…';
    return ApiError.invalid(`\`${path}${shown}\` is not a field. ${hint}`);
  }
}

/**
 * A field that is an object with a table of its own.
 *
 * @param expected what it must be, in words
 */
export function part<T extends object>(fields: Fields<T>, expected: string): Field<T | undefined> {
  return {
    ...optional<T>(anything as Rule<T>),
    inner: {
      take: (value, path) => takeObject(fields, value, path, expected),
      check: (taken, path) => fields.check(taken as Taken, `${path}.`),
    },
  };
}

/**
 * A field that is a list of such objects; empty when absent.
 *
 * @param rule for the list as a whole, before those for its entries
 */
export function parts<T extends object>(
  fields: Fields<T>,
  {
    expected,
    max,
    rule = anything,
    ...options
  }: { expected: string; max: number; rule?: Rule<unknown> } & Pick<FieldOptions, 'reads'>,
): Field<T[]> {
  return {
    ...defaulting<T[]>(() => [], rule as Rule<T[]>, options),
    inner: {
      take(value, path) {
        if (!Array.isArray(value) || value.length > max) throw refusal(path, `must be ${expected}`);
        return Array.from(value, (entry, at) => takeObject(fields, entry, `${path}[${at}]`, 'an object'));
      },
      check(taken, path) {
        for (const [at, entry] of (taken as Taken[]).entries()) fields.check(entry, `${path}[${at}].`);
      },
    },
  };
}

function takeObject<T extends object>(fields: Fields<T>, value: unknown, path: string, expected: string): Taken {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal(path, `must be ${expected}`);
  return fields.take(value, `${path}.`);
}

function itself(value: unknown): unknown {
  return value;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** @param wrong what a rule says: it may begin with a place in the field */
function refusal(path: string, wrong: string): ApiError {
  const place = /^(\[\d+\]|\.\S+)/.exec(wrong)?.[0] ?? '';
  const rest = wrong.slice(place.length).trim();
  return ApiError.invalid(`\`${path}${place}\` ${rest}${rest.endsWith('.') ? '' : '.'}`);
}
