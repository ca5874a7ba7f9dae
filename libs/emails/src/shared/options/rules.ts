import { SHORTEST_SECRET } from '../keys/secret-keys.js';
import { didYouMean } from '../text/did-you-mean.js';

/** Problems of an option's value: a sentence for each, with the option's name and a valid value. */
export type Rule = (path: string, value: unknown) => readonly string[];

/** A rule for each option of a type. An undefined option has its default, unless it is required. */
export type Rules<T> = { readonly [K in keyof T]-?: Rule };

/** A required option. */
interface Required {
  why: string;
  /** Name of an option in place of it. */
  instead: string | undefined;
}

const REQUIRED = new WeakMap<Rule, Required>();

/**
 * @param why written to follow the name: "`transport` is missing: …"
 * @param instead name of an option that may be given in place of this one. Default: none
 */
export function required(rule: Rule, why: string, instead?: string): Rule {
  const wanted: Rule = (path, value) => rule(path, value);
  REQUIRED.set(wanted, { why, instead });
  return wanted;
}

export const anything: Rule = () => [];

export const text: Rule = (path, value) =>
  typeof value === 'string' && value !== '' ? [] : [wrong(path, 'a text', value)];

/** A secret from which keys are derived. It must not be guessable. */
export const secret: Rule = (path, value) => {
  if (typeof value !== 'string') return [wrong(path, `a text of ${SHORTEST_SECRET} characters or more`, value)];
  if (value.length >= SHORTEST_SECRET) return [];
  return [`\`${path}\` must have ${SHORTEST_SECRET} characters or more (got ${value.length}).`];
};

/** It has no character that needs quoting anywhere. */
const WEB_ADDRESS = /^https?:\/\/([a-z0-9.-]+|\[[\da-f:.]+\])(:\d+)?(\/[\w.~/-]*)?$/i;

export const webAddress: Rule = (path, value) =>
  typeof value === 'string' && WEB_ADDRESS.test(value) && URL.canParse(value)
    ? []
    : [wrong(path, 'a URL such as `https://mail.example.com`, without credentials, query and fragment', value)];

export const flag: Rule = (path, value) => (typeof value === 'boolean' ? [] : [wrong(path, 'true or false', value)]);

export const callback: Rule = (path, value) => (typeof value === 'function' ? [] : [wrong(path, 'a function', value)]);

export function oneOf(...values: readonly (string | number)[]): Rule {
  const names = values.map((value) => `\`${value}\``);
  const choice = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
  return (path, value) => (values.includes(value as string) ? [] : [wrong(path, choice, value)]);
}

/** Every entry is required: a hole in a list has no default. */
export function list(entry: Rule): Rule {
  return (path, value) => {
    if (!Array.isArray(value)) return [wrong(path, 'a list', value)];
    return Array.from<unknown>(value).flatMap((one, at) => entry(`${path}[${at}]`, one));
  };
}

/** An object with these methods, and optionally with those. */
export function port(what: string, methods: readonly string[], others: readonly string[] = []): Rule {
  return (path, value) => {
    if (!isObject(value)) return [wrong(path, what, value)];
    const lacks = methods.filter((name) => typeof value[name] !== 'function').map((name) => `\`${name}\``);
    if (lacks.length > 0) return [`\`${path}\` must be ${what}: it lacks the method ${lacks.join(', ')}.`];
    const invalid = others.filter((name) => value[name] !== undefined && typeof value[name] !== 'function');
    return invalid.map((name) => `\`${path}.${name}\` must be a method (got ${gotten(value[name])}).`);
  };
}

/** The first rule, then the second if the first finds no problem. */
export const both =
  (first: Rule, second: Rule): Rule =>
  (path, value) => {
    const problems = first(path, value);
    return problems.length > 0 ? problems : second(path, value);
  };

/** Nested options. */
export function group<T>(rules: Rules<T>): Rule {
  return (path, value) => (isObject(value) ? problemsOf(rules, value, `${path}.`) : [wrong(path, 'an object', value)]);
}

/**
 * Returns all problems of these options, unknown ones included.
 *
 * @param elsewhere messages for names that are options at another level
 */
export function problemsOf(
  rules: Readonly<Record<string, Rule>>,
  options: Readonly<Record<string, unknown>>,
  prefix = '',
  elsewhere: (name: string) => string | undefined = () => undefined,
): string[] {
  const known = Object.keys(rules);
  const unknown = Object.keys(options)
    .filter((name) => !known.includes(name) && options[name] !== undefined)
    .map((name) => {
      const message = elsewhere(name);
      if (message !== undefined) return `\`${prefix}${name}\` ${message}.`;
      const meant = didYouMean(name, known);
      return `\`${prefix}${name.slice(0, 60)}\` is no option${meant === undefined ? '' : `; did you mean \`${prefix}${meant}\`?`}.`;
    })
    .map((problem) => problem.replace('?.', '?'));
  const problems = known.flatMap((name) => {
    const value = options[name];
    const rule = rules[name] as Rule;
    const { why, instead } = REQUIRED.get(rule) ?? {};
    const hasOther = instead !== undefined && options[instead] !== undefined;
    if (value === undefined) return why === undefined || hasOther ? [] : [`\`${prefix}${name}\` is missing: ${why}.`];
    const both = hasOther ? [`\`${prefix}${name}\` and \`${prefix}${instead}\` are given: one of them must go.`] : [];
    return [...both, ...rule(prefix + name, value)];
  });
  return [...problems, ...unknown];
}

/**
 * @param owner owner of the options
 * @throws Error that names every invalid option
 */
export function refuse(owner: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${owner}: ${problems.join(' ')}`);
}

/** Describes a value without showing it: it may be a secret. */
export function gotten(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value) && typeof value.then === 'function') return 'a promise';
  const type = typeof value;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(path: string, right: string, value: unknown): string {
  return `\`${path}\` must be ${right} (got ${gotten(value)}).`;
}
