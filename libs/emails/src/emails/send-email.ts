import type { Given } from '../shared/validation/given.js';
import type { AttachmentContent, AttachmentDto } from './send/request/attachment.dto.js';
import type { SendEmailDto } from './send/request/send-email.dto.js';
import type { TemplateDto } from './send/request/template.dto.js';

/** An attachment: exactly one of `content` and `path` (contract, section 2.2). */
export type SendAttachment = Omit<Given<AttachmentDto>, 'content'> & {
  /** Base64 text, or the bytes. */
  content?: AttachmentContent | Buffer | null | undefined;
};

/**
 * An email from the host's own code: the fields of `POST /emails` (contract, section 2.1), and bytes for attachments. A
 * mailbox is `a@b.c` or `Name <a@b.c>`.
 */
export type SendEmail = Omit<Given<SendEmailDto, 'to'>, 'attachments' | 'headers' | 'tags' | 'template'> & {
  attachments?: readonly SendAttachment[] | null | undefined;
  headers?: Readonly<Record<string, string | number>> | null | undefined;
  /** Up to 75, names unique, as a list or as an object of names and values. An absent value is empty. */
  tags?:
    | readonly { name: string; value?: string | null | undefined }[]
    | Readonly<Record<string, string>>
    | null
    | undefined;
  /** In place of `html` and `text`. */
  template?: Given<TemplateDto, 'id'> | null | undefined;
};
