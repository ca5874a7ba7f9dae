import { ValidateBy, type ValidationArguments, type ValidationOptions } from 'class-validator';
import type { OpenApiPart } from '../openapi/components.js';
import { sentence } from './sentence.js';

/**
 * Returns the problem of a value, in words that follow the name of its field: "must be …". They may start with a path
 * within the value, which extends the name: `[2] must be …`, `.size must be …`. Undefined: valid.
 *
 * @param among the fields next to it, for a rule that depends on another one
 */
export type Rule = (value: unknown, among: Readonly<Record<string, unknown>>) => string | undefined;

/** Accepts every value that passes the test. */
export const passes =
  (test: (value: unknown) => boolean, wrong: string): Rule =>
  (value) =>
    test(value) ? undefined : wrong;

/**
 * A rule as a decorator of class-validator. The rule is its first constraint, so that readers of the decorators call it
 * without a round trip through messages; its part of a JSON Schema is the second.
 *
 * @param name of the decorator in `constraints` of a `ValidationError`
 */
export function ruleDecorator(name: string, rule: Rule, schema: OpenApiPart = {}, options?: ValidationOptions) {
  const wrongOf = ({ value, object }: ValidationArguments) => rule(value, object as Record<string, unknown>);
  return ValidateBy(
    {
      name,
      constraints: [rule, schema],
      validator: {
        // `@Field` reports missing values.
        validate: (value, args) =>
          value === undefined || value === null || (args !== undefined && wrongOf(args) === undefined),
        defaultMessage: (args) => (args ? sentence(args.property, wrongOf(args) ?? 'is refused') : ''),
      },
    },
    options,
  );
}
