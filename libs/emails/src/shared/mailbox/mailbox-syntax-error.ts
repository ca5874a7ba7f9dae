/**
 * The reason why a text is not a mailbox, and a valid form: one or two sentences for the caller, to follow the name of
 * the field. Never quotes the text itself.
 */
export class MailboxSyntaxError extends Error {
  override readonly name = 'MailboxSyntaxError';
}
