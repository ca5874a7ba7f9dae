import { Injectable } from '@nestjs/common';
import { parseMailbox } from '../shared/mailbox/mailbox.js';

/** An email that `EmailsService.send` took in a test, as it would have been kept: its template rendered. */
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
}

/** An attachment of a recorded email. */
export interface RecordedAttachment {
  filename: string | null;
  content_type: string;
  content_id: string | null;
  /** Empty for an attachment that was given by `path`: nothing is fetched. */
  content: Buffer;
}

/** What was sent since the start, or the last `clear()`. Inject it in a test that uses `EmailsTestingModule`. */
@Injectable()
export class SentEmails {
  private readonly emails: RecordedEmail[] = [];

  /** In the order they were sent. */
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

  /** Forgets them. */
  clear(): void {
    this.emails.length = 0;
  }

  /** @internal */
  record(email: RecordedEmail): void {
    this.emails.push(email);
  }
}
