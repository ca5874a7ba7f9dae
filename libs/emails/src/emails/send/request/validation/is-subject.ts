import { wrongSubject } from '../header-text.js';
import { rule } from './rule.js';

export const IsSubject = () => rule('isSubject', wrongSubject);
