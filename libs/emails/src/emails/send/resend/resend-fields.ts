import { defaulting, optional } from '../../../shared/validation/field.js';
import { Fields } from '../../../shared/validation/fields.js';
import { mailboxes } from '../request/mailbox-rules.js';
import { scheduledAt } from '../request/scheduled-at.js';

/** What is asked for besides the content, which is that of the email. */
export interface ResendRequest {
  /** Addresses of recipients of the email. Empty: those whom it has not reached. */
  recipients: string[];
  scheduled_at?: string | undefined;
}

/** The body of `POST /emails/:id/resend` (contract, section 4.2). */
export const resendFields = new Fields<ResendRequest>({
  recipients: defaulting(() => [], mailboxes, { listsOne: true }),
  scheduled_at: optional(scheduledAt),
});
