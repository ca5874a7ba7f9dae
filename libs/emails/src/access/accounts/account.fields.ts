import { required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { line } from '../../shared/validation/rule.js';

/** An account that is to be made. */
export const newAccount = new Fields({ name: required(line(100)) });
