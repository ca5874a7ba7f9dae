/** An attachment of an email that was sent (contract, section 3.3). Every field is always present. */
export interface AttachmentRecord {
  id: string;
  filename: string | null;
  /** Bytes before base64. */
  size: number;
  content_type: string;
  content_disposition: 'inline' | 'attachment';
  /** Without `cid:` and `<…>`. */
  content_id: string | null;
  /** A link that needs no key. */
  download_url: string;
  /** When the link ends: `2026-11-21T05:26:01.123Z`. */
  expires_at: string;
}

/** One that was asked for alone. */
export interface SingleAttachmentRecord extends AttachmentRecord {
  object: 'attachment';
}
