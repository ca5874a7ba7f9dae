import { LIMITS } from '../../../shared/limits.js';
import { ruleDecorator } from '../../../shared/validation/rule.js';
import { wrongSubject } from './header-text.js';

/** One line of up to 998 characters that arrives unchanged (RFC 5322 section 2.2, RFC 2047). */
export const IsSubject = () =>
  ruleDecorator('isSubject', wrongSubject, { type: 'string', maxLength: LIMITS.subject.max });
