import { getMetadataStorage, ValidationTypes } from 'class-validator';

/** Whether a property's value keeps its rules. */
type Check = (value: unknown, object: object) => boolean;

const compiled = new Map<unknown, ReadonlyMap<string, Check>>();

/**
 * True when an instance keeps every rule that class-validator's decorators put on its class: the same rules, read once
 * per class instead of once per object. False means: ask `validate`, which says what is wrong.
 */
export function fits(object: object): boolean {
  const type = object.constructor;
  let checks = compiled.get(type);
  if (!checks) {
    checks = compile(type);
    compiled.set(type, checks);
  }
  for (const [property, check] of checks) {
    if (!check((object as Record<string, unknown>)[property], object)) return false;
  }
  return true;
}

function compile(type: object['constructor']): ReadonlyMap<string, Check> {
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(type, '', false, false);
  return new Map(
    Object.entries(storage.groupByPropertyName(rules)).map(([property, ofProperty]) => {
      const of = (...kinds: string[]) => ofProperty.filter((rule) => kinds.includes(rule.type));
      const conditions = of(ValidationTypes.CONDITIONAL_VALIDATION).map((rule) => rule.constraints[0] as Condition);
      const custom = of(ValidationTypes.IS_DEFINED, ValidationTypes.CUSTOM_VALIDATION);
      const checks = custom.flatMap((rule) =>
        storage.getTargetValidatorConstraints(rule.constraintCls).map(({ instance }): Check => {
          const { constraints } = rule;
          return (value, object) =>
            instance.validate(value, { value, object, property, constraints, targetName: type.name }) === true;
        }),
      );
      const nested = of(ValidationTypes.NESTED_VALIDATION);
      if (nested.length > 0) checks.push(fitsNested);
      const known = conditions.length + custom.length + nested.length === ofProperty.length;
      const simple = custom.every((rule) => !rule.each && !rule.validateIf);
      if (!known || !simple) return [property, () => false];
      return [
        property,
        (value, object) =>
          conditions.some((applies) => !applies(object, value)) || checks.every((check) => check(value, object)),
      ];
    }),
  );
}

type Condition = (object: object, value: unknown) => boolean;

function fitsNested(value: unknown): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.every(fitsNested);
  return typeof value === 'object' && value !== null && fits(value);
}
