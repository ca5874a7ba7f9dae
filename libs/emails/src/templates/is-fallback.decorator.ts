import { ValidateBy, type ValidationArguments } from 'class-validator';

/** As for the values that emails give (contract, section 2.1). */
const MAX_CHARACTERS = 2_000;

/** A value of the type that the same object declares in `type`. */
export const IsFallback = (): PropertyDecorator =>
  ValidateBy({
    name: 'isFallback',
    validator: {
      validate: (value, args) => isFallback(value, declaredType(args)),
      defaultMessage: (args) =>
        declaredType(args) === 'number'
          ? 'must be a finite number, as `type` says'
          : `must be a string of up to ${MAX_CHARACTERS} characters, as \`type\` says`,
    },
  });

function isFallback(value: unknown, type: unknown): boolean {
  return type === 'number' ? Number.isFinite(value) : typeof value === 'string' && [...value].length <= MAX_CHARACTERS;
}

function declaredType(args?: ValidationArguments): unknown {
  return (args?.object as { type?: unknown } | undefined)?.type;
}
