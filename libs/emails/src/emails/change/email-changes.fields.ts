import { optional, required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { repeated } from '../../shared/validation/repeated.js';
import { scheduledAt } from '../send/request/scheduled-at.js';

/** The body of `PATCH /emails/:id`. */
export interface EmailChanges {
  scheduled_at: string;
  id?: string | undefined;
  email_id?: string | undefined;
}

export const emailChanges = new Fields<EmailChanges>({
  scheduled_at: required(scheduledAt),
  id: optional(repeated),
  email_id: optional(repeated),
});
