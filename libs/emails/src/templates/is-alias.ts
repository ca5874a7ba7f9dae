import { isUuid } from '../shared/text/is-uuid.js';

const ALIAS = /^[A-Za-z0-9_-]{1,255}$/;

/** True for what can stand in a path and can be told from an id. */
export function isAlias(value: unknown): value is string {
  return typeof value === 'string' && ALIAS.test(value) && !isUuid(value);
}
