import { passes, ruleDecorator } from '../../../shared/validation/rule.js';
import { EMAIL_LIMITS } from '../../limits.js';

const DOT_ATOM = String.raw`[\w!#$%&'*+/=?^\`{|}~-]+(?:\.[\w!#$%&'*+/=?^\`{|}~-]+)*`;
/** Without inner brackets and `@`, which the grammar allows: readers treat them as the end. */
const LITERAL = String.raw`\[[!-;=?A-Z^-~]*\]`;
const MESSAGE_ID = new RegExp(`^(?=.{3,${EMAIL_LIMITS.messageId.max}}$)<${DOT_ATOM}@(?:${DOT_ATOM}|${LITERAL})>$`);

/** A message id of RFC 5322 section 3.6.4, without the obsolete syntax. */
export const IsMessageId = () =>
  ruleDecorator(
    'isMessageId',
    passes(
      (value) => typeof value === 'string' && MESSAGE_ID.test(value),
      `must be \`<left@right>\` of up to ${EMAIL_LIMITS.messageId.max} characters (RFC 5322 section 3.6.4): letters, digits and ` +
        "!#$%&'*+/=?^_`{|}~- with single dots between them",
    ),
    {
      type: 'string',
      maxLength: EMAIL_LIMITS.messageId.max,
      pattern: '^<[^<>@]+@[^<>@]+>$',
    },
  );
