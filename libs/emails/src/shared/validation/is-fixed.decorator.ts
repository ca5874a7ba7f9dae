import { ValidateBy } from 'class-validator';

/** For a field that exists but cannot be changed: whatever is given is refused, with that reason. */
export const IsFixed = (): PropertyDecorator =>
  ValidateBy({
    name: 'isFixed',
    validator: { validate: () => false, defaultMessage: () => 'cannot be changed; leave it out' },
  });
