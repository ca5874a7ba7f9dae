import { ValidateBy } from 'class-validator';

/**
 * A property decorator from one function: `check` returns what is wrong with the value, written to follow the name of
 * the field ("must be …"), or undefined. The name may be extended by a place: `[2] must be …`.
 */
export function rule(name: string, check: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => check(value) === undefined,
      defaultMessage: (args) => check(args?.value) ?? '',
    },
  });
}
