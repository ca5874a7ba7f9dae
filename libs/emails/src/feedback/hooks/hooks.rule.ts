import { both, group, list, type Rule, required, text } from '../../shared/options/rules.js';
import type { HooksOptions } from './hooks.options.js';
import { sendgridKey } from './sendgrid.relay.js';

/** Shortest secret of a relay. Characters. */
const SHORTEST = 16;
/** An ARN of a topic: partition, region, account, name. */
const TOPIC = /^arn:aws(-[a-z]+)*:sns:[a-z]{2}(-[a-z]+){1,3}-\d{1,2}:\d{12}:[\w-]{1,256}$/;

/** A text of this form. Messages do not show it: it may be a secret. */
const formed = (isRight: (value: string) => boolean, right: string): Rule =>
  both(text, (path, value) => (isRight(value as string) ? [] : [`\`${path}\` must be ${right}.`]));

const topic = formed(
  (value) => TOPIC.test(value),
  'the ARN of a topic of Amazon SNS, such as `arn:aws:sns:eu-west-1:123456789012:feedback`',
);
const topics: Rule = both(list(topic), (path, value) =>
  (value as readonly string[]).length > 0 ? [] : [`\`${path}\` must name a topic, or \`ses\` must be left out.`],
);
const auth = formed(
  (value) => /^[!-9;-~]+:[!-~]+$/.test(value) && value.length >= SHORTEST,
  `\`user:password\` as in the webhook's URL, of ${SHORTEST} printable characters or more, without blanks`,
);
const key = formed(
  (value) => /^[!-~]+$/.test(value) && value.length >= SHORTEST,
  `the HTTP webhook signing key that Mailgun shows, of ${SHORTEST} characters or more`,
);
const verificationKey = formed(isSendgridKey, 'the verification key that SendGrid shows: a public key, base64');

function isSendgridKey(value: string): boolean {
  try {
    return sendgridKey(value) !== undefined;
  } catch {
    return false;
  }
}

/** The rule of `hooks`. */
export const hooksRule: Rule = group<HooksOptions>({
  ses: group<NonNullable<HooksOptions['ses']>>({ topics: required(topics, 'messages of any other topic are refused') }),
  postmark: group<NonNullable<HooksOptions['postmark']>>({ auth: required(auth, 'Postmark signs nothing') }),
  mailgun: group<NonNullable<HooksOptions['mailgun']>>({ key: required(key, 'Mailgun signs with it') }),
  sendgrid: group<NonNullable<HooksOptions['sendgrid']>>({ key: required(verificationKey, 'SendGrid signs by it') }),
});
