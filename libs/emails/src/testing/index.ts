export {
  type SignedWebhook,
  type SignedWebhookOptions,
  signedWebhook,
  type WebhookPayload,
} from '../shared/keys/signed-webhook.js';
export * from './contracts/index.js';
export { EmailsTestingModule, type EmailsTestingOptions } from './emails-testing.module.js';
export type { MailboxFault } from './mailbox-faults.js';
export { type RecordedMessage, RecordingTransport, type RecordingTransportOptions } from './recording-transport.js';
export { type RecordedAttachment, type RecordedEmail, SentEmails } from './sent-emails.js';
export { TestMailboxes, type TestSuppression } from './test-mailboxes.js';
