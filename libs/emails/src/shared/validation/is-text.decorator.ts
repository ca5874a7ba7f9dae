import { ValidateBy } from 'class-validator';

/** Text of at most `max` characters, line breaks allowed. */
export const IsText = (max: number): PropertyDecorator =>
  ValidateBy({
    name: 'isText',
    validator: {
      validate: (value) => typeof value === 'string' && [...value].length <= max,
      defaultMessage: () => `must be a text of up to ${max} characters`,
    },
  });
