import { matching, type Rule } from '../../../shared/validation/rule.js';

/** With `Message-ID: ` far below the 998 octets of a line (RFC 5322 section 2.1.1), also where a thread names it again. */
const MAX_LENGTH = 250;
const DOT_ATOM = String.raw`[\w!#$%&'*+/=?^\`{|}~-]+(?:\.[\w!#$%&'*+/=?^\`{|}~-]+)*`;
/** Without the brackets and `@` that the grammar has in it: readers take them for the end. */
const LITERAL = String.raw`\[[!-;=?A-Z^-~]*\]`;
const MESSAGE_ID = new RegExp(`^(?=.{3,${MAX_LENGTH}}$)<${DOT_ATOM}@(?:${DOT_ATOM}|${LITERAL})>$`);

/** A message id as RFC 5322 section 3.6.4 has it, without what is obsolete. */
export const messageId: Rule<string> = matching(
  MESSAGE_ID,
  `must be \`<left@right>\` of up to ${MAX_LENGTH} characters (RFC 5322 section 3.6.4): letters, digits and ` +
    "!#$%&'*+/=?^_`{|}~- with single dots between them",
);
