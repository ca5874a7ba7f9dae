/** What a caller asks for, its shape checked: optional lists are empty, absent texts are undefined. */
export interface EmailRequest {
  from?: string | undefined;
  to: string[];
  cc: string[];
  bcc: string[];
  reply_to: string[];
  subject?: string | undefined;
  html?: string | undefined;
  text?: string | undefined;
  template?: TemplateRequest | undefined;
  headers: Record<string, string>;
  message_id?: string | undefined;
  scheduled_at?: string | undefined;
  attachments: AttachmentRequest[];
  tags: TagRequest[];
  topic_id?: string | undefined;
}

export interface TemplateRequest {
  id: string;
  variables: Record<string, string | number>;
}

export interface AttachmentRequest {
  /** Base64, an array of byte values, or what `JSON.stringify` makes of a Buffer. */
  content?: unknown;
  path?: string | undefined;
  filename?: string | undefined;
  content_type?: string | undefined;
  content_id?: string | undefined;
}

export interface TagRequest {
  name: string;
  value: string;
}
