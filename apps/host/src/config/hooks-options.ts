import type { Settings } from './settings.js';

/** Relays that may report, in the settings. */
export function hooksOptions({ hookSesTopics, hookPostmarkAuth, hookMailgunKey, hookSendgridKey }: Settings) {
  return {
    ...(hookSesTopics && { ses: { topics: hookSesTopics } }),
    ...(hookPostmarkAuth && { postmark: { auth: hookPostmarkAuth } }),
    ...(hookMailgunKey && { mailgun: { key: hookMailgunKey } }),
    ...(hookSendgridKey && { sendgrid: { key: hookSendgridKey } }),
  };
}
