import { isDeepStrictEqual } from 'node:util';

/**
 * Parts of an answer that a client needs. A text is a type of `TYPES`, or null as well with a `?` at its end; with `=`
 * in front it is this text, with `~` a text that contains it. A boolean or a number is a literal. `[a]`: an array of
 * `a`; `[]`: an array. An object has these keys, and any others; a key with `?` at its end may be absent, and `*` is
 * each key.
 */
export type Shape = string | number | boolean | Shape[] | { [key: string]: Shape };

const TYPES: Record<string, (value: unknown) => boolean> = {
  any: () => true,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  uuid: (value) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  time: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/.test(value),
};

/** Deviations from the shape, a line for each, with its path. */
export function misfits(value: unknown, shape: Shape, place = 'the answer'): string[] {
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${place} is no array`];
    const [item] = shape;
    return item === undefined ? [] : value.flatMap((one, index) => misfits(one, item, `${place}[${index}]`));
  }
  if (typeof shape === 'object') {
    if (!isObject(value)) return [`${place} is no object`];
    return Object.entries(shape).flatMap(([key, inner]) => ofKey(value, key, inner, place));
  }
  return holds(value, shape) ? [] : [`${place} is not ${shape}: ${JSON.stringify(value)}`];
}

function ofKey(value: Record<string, unknown>, key: string, shape: Shape, place: string): string[] {
  if (key === '*') return Object.entries(value).flatMap(([name, one]) => misfits(one, shape, `${place}.${name}`));
  const name = key.replace(/\?$/, '');
  if (name in value) return misfits(value[name], shape, `${place}.${name}`);
  return name === key ? [`${place} has no ${name}`] : [];
}

function holds(value: unknown, shape: string | number | boolean): boolean {
  if (typeof shape !== 'string') return isDeepStrictEqual(value, shape);
  if (shape.startsWith('=')) return value === shape.slice(1);
  if (shape.startsWith('~')) return typeof value === 'string' && value.includes(shape.slice(1));
  if (shape.endsWith('?') && value === null) return true;
  const type = TYPES[shape.replace(/\?$/, '')];
  if (!type) throw new Error(`No type is called ${shape}.`);
  return type(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
