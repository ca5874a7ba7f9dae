/** A message taken apart. All of it is a stranger's word. */
export interface ParsedMessage {
  from: string;
  to: string[];
  cc: string[];
  subject: string;
  /** Of its header, as it stands there. */
  date: string | null;
  message_id: string | null;
  headers: { name: string; value: string }[];
  html: string | null;
  text: string | null;
  attachments: ParsedAttachment[];
}

/** A part that is no text of the message. */
export interface ParsedAttachment {
  filename: string | null;
  contentType: string;
  contentId: string | null;
  content: Uint8Array;
}
