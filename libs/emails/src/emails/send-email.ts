/** An attachment: exactly one of `content` and `path` (contract, section 2.2). */
export interface SendAttachment {
  /** Base64, or the bytes themselves. */
  content?: string | Buffer | undefined;
  /** An `https://` or `http://` URL, fetched when the email is accepted. */
  path?: string | undefined;
  /** Up to 255 characters. May be left out with `path` or `content_type`. */
  filename?: string | undefined;
  /** With any parameters, as in `text/calendar; method=REQUEST`. Default: from the filename, else `application/octet-stream`. */
  content_type?: string | undefined;
  /** Makes the part inline, referred to in html as `cid:`. */
  content_id?: string | undefined;
}

/** An email as `POST /emails` takes it (contract, section 2.1). A mailbox is `a@b.c` or `Name <a@b.c>`. */
export interface SendEmail {
  /** Required, unless the template has one. */
  from?: string | undefined;
  /** 1 to 50 mailboxes. */
  to: string | readonly string[];
  cc?: string | readonly string[] | undefined;
  /** Appears in no header. */
  bcc?: string | readonly string[] | undefined;
  reply_to?: string | readonly string[] | undefined;
  /** Up to 998 characters. Required, unless the template has one. */
  subject?: string | undefined;
  html?: string | undefined;
  /** Default: derived from `html`. Empty: no text part. */
  text?: string | undefined;
  /** In place of `html` and `text`: a published template by its id or alias. */
  template?: { id: string; variables?: Readonly<Record<string, string | number>> | undefined } | undefined;
  headers?: Readonly<Record<string, string | number>> | undefined;
  /**
   * `<left@right>` (RFC 5322 section 3.6.4), up to 250 characters, which no other email of the account has. Default: one
   * with the email's id.
   */
  message_id?: string | undefined;
  /**
   * ISO 8601 date and time, or English such as `in 10 minutes` and `Friday at 3pm EST`, in UTC unless a zone is named. In
   * the past: sent at once.
   */
  scheduled_at?: string | undefined;
  attachments?: readonly SendAttachment[] | undefined;
  /** Up to 75, names unique, as a list or as an object of names and values. A value that is absent is empty. */
  tags?: readonly { name: string; value?: string | undefined }[] | Readonly<Record<string, string>> | undefined;
  /** The uuid of a topic. */
  topic_id?: string | undefined;
}
