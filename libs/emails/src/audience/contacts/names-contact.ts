import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { isSameId } from '../../shared/validation/repeated.js';

/** Whether a text is this contact's id, or its email in any spelling. */
export const namesContact =
  ({ id, email }: { id: string; email: string }) =>
  (text: string): boolean =>
    isUuid(text) ? isSameId(id)(text) : mailboxKey(text) === mailboxKey(email);
