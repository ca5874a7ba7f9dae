import type {
  AttachmentPage,
  AttachmentStore,
  StoredAttachment,
} from '../emails/storage/read/attachment.repository.js';
import type { RecordedEmail, SentEmails } from './sent-emails.js';

/** The attachments of the emails that a test has sent. Their links have no target. */
export class MemoryAttachments implements AttachmentStore {
  constructor(private readonly sent: SentEmails) {}

  async page(accountId: string, emailId: string, { direction, position, limit }: AttachmentPage) {
    const all = this.of(accountId, emailId);
    if (direction === 'after') return all?.filter((one) => one.position > position).slice(0, limit);
    return all
      ?.filter((one) => one.position < position)
      .reverse()
      .slice(0, limit);
  }

  async one(accountId: string, emailId: string, position: number): Promise<StoredAttachment[] | undefined> {
    return this.of(accountId, emailId)?.filter((one) => one.position === position);
  }

  async isSensitive(accountId: string, emailId: string): Promise<boolean | undefined> {
    return this.emailOf(accountId, emailId)?.sensitive;
  }

  async linkedAttachment(): Promise<undefined> {}

  async linkedEmail(): Promise<undefined> {}

  async linkedContent(): Promise<undefined> {}

  private of(accountId: string, emailId: string): StoredAttachment[] | undefined {
    const email = this.emailOf(accountId, emailId);
    if (email?.sensitive) return [];
    return email?.attachments.map(({ filename, content_type, content_id, content }, index) => ({
      position: index + 1,
      filename,
      contentType: content_type,
      contentId: content_id,
      size: content.length,
    }));
  }

  private emailOf(accountId: string, emailId: string): RecordedEmail | undefined {
    return this.sent.all.find((sent) => sent.accountId === accountId && sent.id === emailId);
  }
}
