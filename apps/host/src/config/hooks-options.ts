import type { FeedbackOptions, RelayName } from 'nestjs-emails/feedback';
import type { Settings } from './settings.js';

/**
 * Relays that may report, in the settings. If there is only one, mail goes through it, so each message has the field by which
 * it repeats the id of the email.
 */
export function hooksOptions({
  hookSesTopics,
  hookPostmarkAuth,
  hookMailgunKey,
  hookSendgridKey,
}: Settings): Pick<FeedbackOptions, 'hooks' | 'relay'> {
  const hooks = {
    ...(hookSesTopics && { ses: { topics: hookSesTopics } }),
    ...(hookPostmarkAuth && { postmark: { auth: hookPostmarkAuth } }),
    ...(hookMailgunKey && { mailgun: { key: hookMailgunKey } }),
    ...(hookSendgridKey && { sendgrid: { key: hookSendgridKey } }),
  };
  const [relay, ...others] = Object.keys(hooks) as RelayName[];
  return relay === undefined ? {} : { hooks, ...(others.length === 0 && { relay }) };
}
