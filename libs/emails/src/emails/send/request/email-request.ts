/** What a caller asks for, its shape checked: optional lists are empty, absent texts are undefined. */
export interface EmailRequest {
  from?: string;
  to: string[];
  cc: string[];
  bcc: string[];
  reply_to: string[];
  subject?: string;
  html?: string;
  text?: string;
  template?: { id: string; variables: Record<string, string | number> };
  headers: Record<string, string>;
  scheduled_at?: string;
  attachments: AttachmentRequest[];
  tags: { name: string; value: string }[];
  topic_id?: string;
}

export interface AttachmentRequest {
  /** Base64, an array of byte values, or what `JSON.stringify` makes of a Buffer. */
  content?: unknown;
  path?: string;
  filename?: string;
  content_type?: string;
  content_id?: string;
}
