import { isUuid } from '../shared/text/is-uuid.js';
import { passes, ruleDecorator } from '../shared/validation/rule.js';
import { TEMPLATE_LIMITS } from './limits.js';

const ALIAS = new RegExp(`^[A-Za-z0-9_-]{1,${TEMPLATE_LIMITS.alias.max}}$`);

/** True for a text that can stand in a path and differs from an id. */
export function isAlias(value: unknown): value is string {
  return typeof value === 'string' && ALIAS.test(value) && !isUuid(value);
}

/** A template's other name, see `isAlias`. */
export const IsAlias = () =>
  ruleDecorator(
    'isAlias',
    passes(
      isAlias,
      `must have 1 to ${TEMPLATE_LIMITS.alias.max} letters, digits, hyphens and underscores, and not be a uuid`,
    ),
    { type: 'string', pattern: ALIAS.source },
  );
