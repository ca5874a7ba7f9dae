/**
 * Why a text is not a mailbox, and what would be right: one or two sentences, fit to be shown to the caller after the
 * name of the field. Never quotes the text itself.
 */
export class MailboxSyntaxError extends Error {
  override readonly name = 'MailboxSyntaxError';
}
