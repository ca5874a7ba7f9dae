import { isUuid } from '../text/is-uuid.js';
import { isLongerThan } from '../text/text-rules.js';
import { thisServerHasNo } from '../text/this-server-has-no.js';
import { isLine } from './is-line.js';
import { passes, ruleDecorator } from './rule.js';

const NOTHING = { type: ['string', 'array', 'null'], maxLength: 0, maxItems: 0, description: 'Empty, or absent.' };

/** One line of 1 to `max` characters, without control characters. */
export const IsLine = (max: number) =>
  ruleDecorator(
    'isLine',
    passes((value) => isLine(value, max), `must be one line of 1 to ${max} characters without control characters`),
    { type: 'string', minLength: 1, maxLength: max },
  );

/** A text of up to `max` characters, line breaks allowed. */
export const IsTextUpTo = (max: number, wrong = `must be a text of up to ${max} characters`) =>
  ruleDecorator(
    'isTextUpTo',
    passes((value) => typeof value === 'string' && !isLongerThan(value, max), wrong),
    { type: 'string', maxLength: max },
  );

/** A UUID of any version (RFC 9562). */
export const IsUuid = (wrong: string) =>
  ruleDecorator('isUuid', passes(isUuid, wrong), { type: 'string', format: 'uuid' });

/** A field of a change that repeats its path, such as `id`. `checkRepeated` compares them. */
export const IsRepeated = () =>
  ruleDecorator(
    'isRepeated',
    passes((value) => typeof value === 'string', 'must be a string'),
    { type: ['string', 'null'], description: 'Absent, or equal to the value in the path.' },
  );

/** For a field that exists but cannot be changed: refuses every value. */
export const IsFixed = () => ruleDecorator('isFixed', () => 'cannot be changed; leave it out', NOTHING);

/** For a field of Resend that this server does not support: refuses every value. */
export const IsLacking = (what: string) =>
  ruleDecorator('isLacking', () => `must be left out. ${thisServerHasNo(what)}`, NOTHING);
