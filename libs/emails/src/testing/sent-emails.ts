import { Injectable } from '@nestjs/common';
import type { EmailPriority } from '../emails/states/email-priorities.js';
import { parseMailbox } from '../shared/mailbox/mailbox.js';

/** An email that `EmailsService.send` accepted in a test, in its stored form, with its template rendered. */
export interface RecordedEmail {
  id: string;
  accountId: string;
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  reply_to: readonly string[];
  subject: string;
  html: string | null;
  text: string | null;
  headers: Readonly<Record<string, string>>;
  tags: readonly { name: string; value: string }[];
  topic_id: string | null;
  scheduled_at: string | null;
  attachments: readonly RecordedAttachment[];
  idempotencyKey: string | null;
  /** Whether its content is not shown by routes. Here a test sees it. */
  sensitive: boolean;
  priority: EmailPriority;
}

/** An attachment of a recorded email. */
export interface RecordedAttachment {
  filename: string | null;
  content_type: string;
  content_id: string | null;
  /** Empty for an attachment with a `path`: nothing is fetched. */
  content: Buffer;
}

/**
 * The emails sent since the start, or since the last `clear()`. Inject it in a test that uses `EmailsTestingModule`.
 *
 * @example
 * ```ts
 * const sent = app.get(SentEmails);
 * sent.only(); // the one email that was sent
 * sent.to('jane@example.com').map(({ subject }) => subject);
 * sent.clear();
 * ```
 */
@Injectable()
export class SentEmails {
  private readonly emails: RecordedEmail[] = [];

  /** In the order of sending. */
  get all(): readonly RecordedEmail[] {
    return this.emails;
  }

  get last(): RecordedEmail | undefined {
    return this.emails.at(-1);
  }

  /** Emails with this address among `to`, `cc` and `bcc`. */
  to(address: string): RecordedEmail[] {
    return this.emails.filter(({ to, cc, bcc }) =>
      [...to, ...cc, ...bcc].some((mailbox) => parseMailbox(mailbox).address === address),
    );
  }

  /**
   * The one email that was sent.
   *
   * @throws Error when there is none, or more than one
   */
  only(): RecordedEmail {
    const [email] = this.emails;
    if (email && this.emails.length === 1) return email;
    const subjects = this.emails.map(({ subject }) => `\n- ${subject}`).join('');
    throw new Error(`One email should have been sent. There were ${this.emails.length}.${subjects}`);
  }

  /** Forgets the sent emails. */
  clear(): void {
    this.emails.length = 0;
  }

  /** @internal */
  record(email: RecordedEmail): void {
    this.emails.push(email);
  }
}
