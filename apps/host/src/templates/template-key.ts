import { byId, type RowKey } from '../shared/rows/account-rows.js';
import { isAlias } from './is-alias.decorator.js';

/** The key of the template with this id or alias, if it is one. */
export function templateKey(idOrAlias: string): RowKey {
  return byId(idOrAlias) ?? (isAlias(idOrAlias) ? { column: 'alias', value: idOrAlias } : undefined);
}
