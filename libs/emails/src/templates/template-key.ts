import type { RowKey } from '../shared/rows/account.repository.js';
import { asId } from '../shared/rows/account-row.js';
import { isAlias } from './is-alias.js';
import type { TemplateEntity } from './template.entity.js';

/** The key of the template with this id or alias, if it is one. */
export function templateKey(idOrAlias: string): RowKey<TemplateEntity> {
  return asId(idOrAlias) ?? (isAlias(idOrAlias) ? { alias: idOrAlias } : undefined);
}
