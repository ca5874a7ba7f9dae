import type { HtmlUse } from './html-support.js';

/** A parsed message. All of it comes from a stranger. */
export interface ParsedMessage {
  from: string;
  to: string[];
  cc: string[];
  subject: string;
  /** From its header, unchanged. */
  date: string | null;
  message_id: string | null;
  headers: { name: string; value: string }[];
  html: string | null;
  text: string | null;
  /** Features of the html that common mail programs do not support. */
  unsupported: HtmlUse[];
  attachments: ParsedAttachment[];
}

/** A part other than the message's texts. */
export interface ParsedAttachment {
  filename: string | null;
  contentType: string;
  contentId: string | null;
  content: Uint8Array;
}
