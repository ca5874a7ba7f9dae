import { isUUID, ValidateBy } from 'class-validator';

const ALIAS = /^[A-Za-z0-9_-]{1,255}$/;

/** True for what can stand in a path and can be told from an id. */
export function isAlias(value: unknown): value is string {
  return typeof value === 'string' && ALIAS.test(value) && !isUUID(value);
}

export const IsAlias = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAlias',
    validator: {
      validate: isAlias,
      defaultMessage: () => 'must have 1 to 255 letters, digits, hyphens and underscores, and not be a uuid',
    },
  });
