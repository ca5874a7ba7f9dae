import { EMAIL_STATES, type EmailEventType } from 'nestjs-emails/facts';

/** Answers of the API, as far as the page uses them. Times as in the contract. */
export interface List<T> {
  object: 'list';
  has_more: boolean;
  data: T[];
}

/** The states of an email, in the order of the contract. */
export const STATES = Object.keys(EMAIL_STATES) as EmailState[];

export type EmailState = EmailEventType;

export interface Email {
  object: 'email';
  id: string;
  message_id: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  reply_to: string[];
  subject: string;
  html: string | null;
  text: string | null;
  created_at: string;
  scheduled_at: string | null;
  last_event: EmailState;
  tags: { name: string; value: string }[];
  topic_id: string | null;
  priority: 'now' | 'bulk';
  resent_from?: string;
  no_content?: true;
  /** Present while its account is held. */
  held?: { since: string; reason: string };
  sensitive?: true;
}

/** An email of a list with `fields=summary`: html and text are null. */
export interface ListedEmail extends Pick<Email, 'id' | 'message_id' | 'from' | 'to' | 'cc' | 'bcc' | 'reply_to'> {
  subject: string;
  created_at: string;
  scheduled_at: string | null;
  last_event: EmailState;
  tags: { name: string; value: string }[];
  topic_id: string | null;
  /** Number of attachments that are kept. */
  attachments: number;
}

/** An action on many emails, and its progress. */
export interface EmailAction {
  id: string;
  action: 'cancel' | 'retry' | 'resend';
  status: 'running' | 'completed';
  matched: number;
  done: number;
  refused: { id: string; message: string }[];
}

export interface EmailEvent {
  id: string;
  type: string;
  recipient: string | null;
  created_at: string;
  reason: string | null;
  reason_code: string | null;
  attempt: number | null;
  /** Name of the transport of that attempt. */
  transport: string | null;
  source: string;
  bounce: { type: string; subType: string; message: string; diagnosticCode: string[] } | null;
}

export interface EmailRecipient {
  address: string;
  field: 'to' | 'cc' | 'bcc';
  last_event: EmailState;
  attempts: number;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  reason: string | null;
  reason_code: string | null;
}

export interface EmailAttachment {
  id: string;
  filename: string | null;
  size: number;
  content_type: string;
  content_disposition: 'inline' | 'attachment';
  content_id: string | null;
  download_url: string;
  expires_at: string;
}

export interface Topic {
  id: string;
  name: string;
  description: string | null;
  default_subscription: 'opt_in' | 'opt_out';
  visibility: 'public' | 'private';
  created_at: string;
}

/** An address that gets no mail. */
export interface Suppression {
  id: string;
  /** `erased@erased.invalid` for an erased person. */
  email: string;
  origin: 'bounce' | 'complaint' | 'manual';
  /** The email that caused it. */
  source_id: string | null;
  created_at: string;
  /** The server's reply. */
  reason: string | null;
  /** Null: permanent. */
  expires_at: string | null;
}

export type ContactProperty = { type: 'string'; value: string } | { type: 'number'; value: number };

export interface Contact {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  unsubscribed: boolean;
  properties: Record<string, ContactProperty>;
  created_at: string;
}

export interface ContactTopic {
  id: string;
  name: string;
  description: string | null;
  subscription: 'opt_in' | 'opt_out';
  created_at: string;
}

export interface TemplateVariable {
  id: string;
  key: string;
  type: 'string' | 'number';
  fallback_value: string | number | null;
}

export interface Template {
  id: string;
  name: string;
  alias: string | null;
  status: 'draft' | 'published';
  from: string | null;
  subject: string | null;
  reply_to: string[] | string | null;
  html: string | null;
  text: string | null;
  variables: TemplateVariable[];
  created_at: string;
  updated_at: string;
  published_at: string | null;
  current_version_id: string | null;
  has_unpublished_versions: boolean;
  sensitive: boolean;
}

export interface ApiKey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
  page_role: 'viewer' | 'support' | null;
  permission: 'full_access' | 'sending_access';
  /** First characters of the token. */
  token_start: string;
}

export interface Webhook {
  id: string;
  endpoint: string;
  events: string[];
  status: 'enabled' | 'disabled';
  created_at: string;
  signing_secret?: string;
}

export interface WebhookEvent {
  id: string;
  type: string;
  created_at: string;
  status: 'pending' | 'attempting' | 'success' | 'failed';
  attempts: number;
  email_id: string | null;
  recipient: string | null;
  next_attempt_at?: string | null;
  payload?: unknown;
}

export interface WebhookStatistics {
  id: string;
  /** Latest events that the rate is about. */
  events: number;
  success_rate: number | null;
}

export interface WebhookAttempt {
  id: string;
  http_status_code: number;
  response: string;
  sent_at: string;
}

/** A change that a caller asked for. */
export interface Action {
  id: string;
  created_at: string;
  /** `noun.verb`, such as `email.cancel`. */
  action: string;
  source: 'page' | 'api';
  key_id: string | null;
  session_id: string | null;
  /** The first of them. */
  ids: string[];
  count: number;
}
